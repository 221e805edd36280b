#!/bin/sh
# A result that is not the card's is named, with the kernel's source: check_expected.sh PROGRAM EXPECTED
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# three kernels of the file, the second with another hash
awk '$1 == "kernels" { print "kernels 3"; next } $1 ~ /^#|seed|target/ { print; next }
     ++n <= 3 { print n == 2 ? "0123456789abcdef" : $1 }' "$2" > "$folder/expected"
code=0
"$1" --folder "$folder" --expected "$folder/expected" > "$folder/said" 2>&1 || code=$?
cat "$folder/said"
[ $code -eq 1 ]
grep -q 'DIFFERS kernel 1:' "$folder/said"
grep -q '3 kernels, 1 failed' "$folder/said"
grep -q 'void k1(' "$folder"/arithmetic-*-1.cu
