#!/bin/sh
# The check of the edges finds what it is there for. Usage: check_house.sh HOUSE
set -eu
house=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
printf 'low\tliblow.a\t\nhigh\tlibhigh.a\tlow\n' >"$scratch/rooms.tsv"

expect() { # expect EXIT_CODE TEXT: the symbols stand in descriptor 0
    code=0
    "$house" "$scratch/rooms.tsv" 2 >"$scratch/said" 2>&1 || code=$?
    if [ "$code" -ne "$1" ] || ! grep -qF "$2" "$scratch/said"; then
        printf 'exit code %d, not %d, or "%s" is missing:\n' "$code" "$1" "$2"
        cat "$scratch/said"
        exit 1
    fi
}

expect 0 'the largest cycle has 1; 0 faults' <<'NM'
liblow.a:a.c.o:0000000000000000 T low_call
libhigh.a:b.c.o:                 U low_call
NM
expect 1 'low/a.c.o uses high_call of high/b.c.o, which it does not link' <<'NM'
libhigh.a:b.c.o:0000000000000000 T high_call
liblow.a:a.c.o:                 U high_call
NM
expect 1 'a cycle of 2 objects over several rooms' <<'NM'
libhigh.a:b.c.o:0000000000000000 T high_call
liblow.a:a.c.o:                 U high_call
liblow.a:a.c.o:0000000000000000 T low_call
libhigh.a:b.c.o:                 U low_call
NM
expect 1 'a cycle of 3 objects:' <<'NM'
liblow.a:a.c.o:0000000000000000 T a
liblow.a:b.c.o:0000000000000000 T b
liblow.a:c.c.o:0000000000000000 T c
liblow.a:a.c.o:                 U b
liblow.a:b.c.o:                 U c
liblow.a:c.c.o:                 U a
NM
expect 2 'no symbols were read' </dev/null
