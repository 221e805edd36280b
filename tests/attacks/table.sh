#!/bin/sh
# table.sh HARNESS FOLDER write|check: README.md is README.head.md and the table of all attacks.
harness=$1
folder=$2
cd "$folder" || exit 2
table=$(find . -mindepth 2 -type f \( -name '*.cu' -o -name '*.ptx' -o -name '*.c' -o -name '*.e2e' \) \
    ! -path './harness/*' ! -path './attacker/*' ! -path './home/*' -exec "$harness" --table {} +) || exit 1
text=$(cat README.head.md && printf '%s\n' "$table")
if [ "$3" = write ]; then
    printf '%s\n' "$text" >README.md
elif [ "$text" != "$(cat README.md)" ]; then
    echo "tests/attacks/README.md is out of date: ninja attacks-table writes it again" >&2
    exit 1
fi
