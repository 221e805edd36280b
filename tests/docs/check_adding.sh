#!/bin/sh
# sandbox/simgpu/ADDING.md tells the truth: every source of the room stands in it, every file and
# every line of code that it shows exists.
root=$1
room=$root/sandbox/simgpu
page=$room/ADDING.md
failed=0
fail() {
    echo "ADDING.md: $*" >&2
    failed=1
}
for path in "$room"/*.c "$room"/*.def; do
    grep -qF "\`$(basename "$path")\`" "$page" || fail "does not name $(basename "$path")"
done
# shellcheck disable=SC2016
for name in $(grep -oE '`[a-z_]+\.(c|h|def)`' "$page" | tr -d '`' | sort -u); do
    [ -e "$room/$name" ] || fail "names $name, which is not there"
done
while IFS= read -r line; do
    case $line in
    FAMILY* | FORM*) grep -qxF "$line" "$room"/isa*.def || fail "no isa*.def has the line $line" ;;
    BINARY*) grep -qxF "$line" "$room"/exec_*.c || fail "no executor $line" ;;
    'test '* | 'code '*';' | 'row '*) grep -qxF "$line" "$root"/tests/ptx/*.txt || fail "no test line $line" ;;
    esac
done <"$page"
exit $failed
