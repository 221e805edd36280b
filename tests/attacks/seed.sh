#!/bin/sh
# Compiles what all attacks compile beside their own: see harness/seed.c.
#     seed.sh FOLDER RIGHT WRONG PROGRAM ...
# FOLDER/right gets the optimised build of the right submission, FOLDER/beside all that belongs to the
# exercise, with the mutants that a wrong submission is compared with, and the right one's build with -G.
set -eu
seed=$1 right=$2 wrong=$3
shift 3
rm -rf "$seed"
mkdir -p "$seed/beside" "$seed/right"
for program; do
    XDG_CACHE_HOME=$seed/beside "$program" grade --cases=one-element "$right" >/dev/null
    ! XDG_CACHE_HOME=$seed/beside "$program" grade --cases=one-element "$wrong" >/dev/null
done
names() { # names FILE ENTRY: the entry's PTX was made of that file
    grep -aq "[.]file.*/${1##*/}\"" "$2"
}
(cd "$seed/beside" && find . -type f) | while read -r entry; do
    if names "$wrong" "$seed/beside/$entry"; then
        rm "$seed/beside/$entry"
    elif names "$right" "$seed/beside/$entry" && ! grep -aq '[.]target .*, debug' "$seed/beside/$entry"; then
        mkdir -p "$seed/right/${entry%/*}"
        mv "$seed/beside/$entry" "$seed/right/$entry"
    fi
done
chmod -R a+rX "$seed" # plain users copy it, too
test "$(find "$seed/right" -type f | wc -l)" -eq $#
test "$(find "$seed/beside" -type f | wc -l)" -gt $((4 * $#))
