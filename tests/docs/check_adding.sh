#!/bin/sh
# The pages of the simulated GPU tell the truth: every source of a room stands in the room's README, every
# file that a page names exists, and ADDING.md shows lines of code that are there.
root=$1
rooms=$root/sandbox/simgpu
failed=0
fail() {
    echo "$*" >&2
    failed=1
}
for path in "$rooms"/*/*.c "$rooms"/*/*.def "$rooms"/*/*/*.c; do
    page=$(dirname "$path")/README.md
    grep -qF "\`$(basename "$path")\`" "$page" || fail "$page does not name $(basename "$path")"
done
for page in "$rooms"/*.md "$rooms"/*/README.md "$rooms"/*/*/README.md; do
    # shellcheck disable=SC2016
    for name in $(grep -oE '`[a-z_/.]*[a-z_]\.(c|h|def)`' "$page" | tr -d '`' | sort -u); do
        case $name in
        */*) [ -e "$(dirname "$page")/$name" ] || [ -e "$root/$name" ] || fail "$page names $name, which is not there" ;;
        *) find "$rooms" -name "$name" | grep -q . || fail "$page names $name, which is not there" ;;
        esac
    done
done
page=$rooms/ADDING.md
while IFS= read -r line; do
    case $line in
    FAMILY* | PLAIN* | OPERATION* | FORM*) grep -qxF "$line" "$rooms"/program/isa*.def || fail "no isa*.def has the line $line" ;;
    BINARY*) grep -qxF "$line" "$rooms"/exec/executors/exec_*.c || fail "no executor $line" ;;
    'test '* | 'code '*';' | 'row '*) grep -qxF "$line" "$root"/tests/ptx/*.txt || fail "no test line $line" ;;
    esac
done <"$page"
exit $failed
