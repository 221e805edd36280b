#!/bin/sh
# Compiles what all attacks compile beside their own: see harness/seed.c.
#     seed.sh FOLDER SAMPLE PROGRAM ...
set -eu
seed=$1 sample=$2
shift 2
rm -rf "$seed"
mkdir -p "$seed"
for program; do
    XDG_CACHE_HOME=$seed "$program" grade --cases=one-element "$sample" >/dev/null
done
chmod -R a+rX "$seed" # plain users copy it, too
test -n "$(find "$seed" -type f)"
