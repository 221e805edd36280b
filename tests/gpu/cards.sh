#!/bin/sh
# A class on all cards of this machine, and again on its first: tests/gpu/cards.sh PROGRAM [KERNEL]
#
# Says how busy each card was meanwhile, and fails where one was idle or a verdict or score differs.
# PROGRAM is warpgrade, KERNEL a right solution of the exercise saxpy. 77: there are no two cards.
set -u
home=$(cd "$(dirname "$0")/../.." && pwd)
program=$(realpath "$1") || exit 1
kernel=$(realpath "${2:-$home/reference/saxpy/tuned.cu}") || exit 1
WARPGRADE_HOME=$home
export WARPGRADE_HOME
cards=$(nvidia-smi --query-gpu=index --format=csv,noheader 2> /dev/null | wc -l)
if [ "$cards" -lt 2 ]; then
    echo "skipped: $cards cards here, two are needed"
    exit 77
fi
folder=$(mktemp -d) && cd "$folder" || exit 1
trap 'rm -rf "$folder"' EXIT
students="ada ben cy dee eve fay"
{
    printf 'course: Cards\nexercises: [saxpy]\nseed: 5\nstudents:\n'
    for name in $students; do
        printf '  - {id: %s, repository: %s}\n' "$name" "$name"
    done
} > course.yaml
for name in $students; do
    git -c init.defaultBranch=main init -q "$name"
    cp "$kernel" "$name/saxpy.cu"
    git -C "$name" add .
    git -C "$name" -c user.name=test -c user.email=test@example.org commit -qm work || exit 1
done
nvidia-smi --query-gpu=index,utilization.gpu,memory.used --format=csv,noheader -lms 250 > looks.txt &
watcher=$!
begun=$(date +%s)
"$program" batch course.yaml > all.txt 2>&1 || { cat all.txt; failed=1; }
all=$(($(date +%s) - begun))
kill $watcher
mv reports all
rm -f gradebook.sqlite
begun=$(date +%s)
CUDA_VISIBLE_DEVICES=0 "$program" batch course.yaml > one.txt 2>&1 || { cat one.txt; failed=1; }
echo "six students: $all s on $cards cards, $(($(date +%s) - begun)) s on one"
# A worker's context alone takes hundreds of MiB.
awk -F', ' '{ looks[$1]++; m = $3 + 0; busy[$1] += m > 100; if (m > most[$1]) most[$1] = m }
    END { for (i in looks) { printf "card %s: in use in %d of %d looks, at most %d MiB\n", i, busy[i], looks[i], most[i]
          if (!busy[i]) idle = 1 } exit idle }' looks.txt || failed=1
for name in $students; do
    for side in all reports; do
        grep -E '"(verdict|score|passed|engine)"' "$side/$name/saxpy.json" > "$side.part"
    done
    cmp -s all.part reports.part || { echo "FAILED: $name is judged otherwise on one card"; failed=1; }
done
[ -z "${failed:-}" ] && echo "the same verdicts and scores on $cards cards and on one"
exit "${failed:-0}"
