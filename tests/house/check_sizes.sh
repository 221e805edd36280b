#!/bin/sh
# Rooms and files that one can take in: at most 45 C sources, headers and tables in a folder, at most 600
# lines in each. In the source folder.
set -eu
find sandbox grader reports tests -name '*.[ch]' -o -name '*.def' | sort >"${TMPDIR:-/tmp}/house.$$"
trap 'rm -f "${TMPDIR:-/tmp}/house.$$"' EXIT
sed 's|/[^/]*$||' "${TMPDIR:-/tmp}/house.$$" | sort | uniq -c | sort -rn | awk '
    NR == 1 { print "the largest folder: " $2 ", " $1 " files" }
    $1 > 45 { print $2 " has " $1 " files: more than 45"; faults++ }
    END { exit faults > 0 }'
while read -r file; do
    lines=$(wc -l <"$file")
    [ "$lines" -le 600 ] || echo "$file has $lines lines: more than 600"
done <"${TMPDIR:-/tmp}/house.$$" | { ! grep .; }
