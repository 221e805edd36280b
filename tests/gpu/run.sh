#!/bin/sh
# What kernels need a card for, and what came of it: tests/gpu/run.sh [--without NAME]... [PROGRAMS]
# Whole programs and host code have programs.sh.
#
# Without an argument it builds here and runs the tests with the label card. PROGRAMS is a folder with
# programs of a build that was made elsewhere (for machines without a compiler's libraries); then they
# are run from there, and one that is not there is a failure unless --without names it. Exit code 0:
# all passed; 77: there is no card, and why.
set -u
here=$(cd "$(dirname "$0")" && pwd)
home=$(cd "$here/../.." && pwd)
started=$(date +%s)
failed=0
without=
while [ "${1:-}" = --without ]; do
    without="$without $2"
    shift 2
done
cd "$home" || exit 1

finish() {
    echo "== $1 after $(($(date +%s) - started)) s"
    exit "$2"
}

if [ $# -eq 0 ]; then
    cmake --preset default > /dev/null && cmake --build build || finish "does not build" 1
    build/tests/gpu_session > build/gpu-session.txt
    if [ $? -eq 77 ]; then
        cat build/gpu-session.txt
        finish "skipped" 77
    fi
    ctest --test-dir build -L '^card$' -V > build/gpu.txt || failed=1
    if ! grep -q 'tests passed' build/gpu.txt || grep -q '(Skipped)' build/gpu.txt; then
        echo "FAILED: there is a card, and tests were skipped:"
        grep '(Skipped)' build/gpu.txt
        failed=1
    fi
    grep -E 'checks, [0-9]+ failed|kernels: the same points|runs, [0-9]+ failed|DIFFERS|FAILED|MISSED|excepted:|submissions:|ratio|table:|: met$|comes back|tests passed|\(Failed\)' \
        build/gpu.txt | sed 's/^[0-9]*: //'
    finish "$([ $failed -eq 0 ] && echo passed || echo FAILED)" $failed
fi

programs=$1
said=$(mktemp -d)
trap 'rm -rf "$said"' EXIT
PATH="$programs:$PATH"
WARPGRADE_HOME=$home
export PATH WARPGRADE_HOME

# step LINES PROGRAM ARGUMENTS...: the last lines of what it says, more of them where it fails. A
# program that is not there fails: what was not run has not passed.
step() {
    lines=$1 program=$2
    shift 2
    case "$without " in
    *" $program "*)
        echo "== $program: left out, as --without says"
        return
        ;;
    esac
    if ! [ -x "$programs/$program" ]; then
        echo "== $program: FAILED, it is not in $programs"
        failed=1
        return
    fi
    begun=$(date +%s)
    output=$said/$program.txt
    "$programs/$program" "$@" > "$output" 2>&1
    code=$?
    if [ $code -eq 77 ] && [ "$program" = gpu_session ]; then
        cat "$output"
        finish "skipped" 77
    fi
    [ $code -eq 0 ] || failed=1
    echo "== $program: exit $code, $(($(date +%s) - begun)) s"
    if [ $code -ne 0 ]; then
        grep -E 'FAILED|DIFFERS|MISSED|failed' "$output" | head -40
        lines=60
    fi
    tail -n "$lines" "$output"
}

# beside LINES PROGRAM ARGUMENTS...: as step, while others run; together() waits for all and says what they said.
count=0
started_beside=
beside() {
    count=$((count + 1))
    (
        failed=0
        step "$@"
        exit $failed
    ) > "$said/beside-$count" 2>&1 &
    started_beside="$started_beside $!"
}
together() {
    for process in $started_beside; do
        wait "$process" || failed=1
    done
    cat "$said"/beside-*
}

step 1 gpu_session
# In the jail of machines without user namespaces, where a container's cards are.
beside 3 warpgrade grade --jail landlock --engine cuda "$here/../samples/saxpy/good.cu"
# What measures nothing that is judged: most of it waits for compilers and for contexts of the card.
# shellcheck disable=SC2046,SC2010
beside 1 run_ptx --cuda $(ls "$here"/../ptx/*.txt | grep -v /census.txt)
# Random kernels on both engines, and how far approximations and matrix products are apart.
beside 1 random_arithmetic --cuda --seed 2 --kernels 2000 --folder /tmp
beside 1 gpu_approximate --every 61
beside 1 gpu_products
# Of the model's kernels a part: to compile all of them takes a minute, and nothing here judges their times.
beside 1 gpu_bench --size small --kernel '[d-h]*/*' --json /dev/null
beside 30 gpu_engines --kind kernel
together
# The same points with and without a card: over all right kernels of the catalogue.
step 1 gpu_agreement --kind kernel
# One exercise of each kind, twice; without names it does so with all, in some minutes.
step 10 gpu_ratios dot gemv-open reduce-shuffle
# What the tuned kernels reach, and the bars.
step 40 gpu_table
step 20 run_cheats cuda "$here/../cheats/cheats.tsv"
step 2 run_cheats auto "$here/../cheats/cheats.tsv" other-code
finish "$([ $failed -eq 0 ] && echo passed || echo FAILED)" $failed
