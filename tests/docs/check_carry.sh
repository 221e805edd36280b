#!/bin/sh
# Numbers that are assumed as another card's follow that card's: sandbox/devices/carry.sh on a copy.
# Usage: check_carry.sh ROOT
set -eu
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
cp "$1"/sandbox/devices/* "$folder"
fail() {
    echo "check_carry: $*" >&2
    exit 1
}

"$folder/carry.sh"
diff -r "$1/sandbox/devices" "$folder" || fail 'a number differs from the one that it is assumed as'

# One that is carried, beside one of the same key that is not: t4.yaml has its own from a publication.
sed -i 's/^alu_cycles: {value: [^,]*/alu_cycles: {value: 5.25/' "$folder/h200.yaml"
"$folder/carry.sh"
grep -q '^alu_cycles: {value: 5.25, assumed: "as the H200' "$folder/h100.yaml" ||
    fail 'h100.yaml has not got the number of h200.yaml'
cmp -s "$1/sandbox/devices/t4.yaml" "$folder/t4.yaml" || fail 't4.yaml has changed'

sed -i '/^alu_cycles:/d' "$folder/h200.yaml"
if "$folder/carry.sh" 2>"$folder/message"; then
    fail 'a number that the other card lacks is no error'
fi
grep -q 'h100.yaml:[0-9]*: h200.yaml has no value for alu_cycles' "$folder/message" ||
    fail "not the message: $(cat "$folder/message")"
