#!/bin/sh
# Sample programs beside what a card said: tests/programs/samples.sh HOW [NAME]...
#
#     samples.sh card [NAME]...                nvcc builds each, a card runs it
#     samples.sh WARPGRADE [NAME]...           `WARPGRADE nvcc` builds each, `WARPGRADE run` runs it without one
#     samples.sh WARPGRADE --engine cuda [NAME]...   likewise, and `WARPGRADE run --engine cuda` has a worker
#                                              drive the card for it
#
# What each prints and its exit code are compared with samples/said/NAME.txt, which a card said: with
# WARPGRADE_UPDATE_GOLDEN=1, `card` writes these. A first comment `// nvcc: OPTIONS` gives options (`// nvcc for
# warpgrade: OPTIONS`: where there is no card, whose architecture nvcc takes),
# `// stdin: TEXT` and `// arguments: ...` what the program gets; `// not by a worker: WHY` is for what it must
# refuse, with a message. A line is a program:
#
#     same | refused | DIFFERS | does not build    NAME    seconds
#
# Exit code: 0 all the same, 1 not, 77 there is no nvcc (or no card).
set -u
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 1 ] || { sed -n '2,4p' "$0" >&2; exit 2; }

if [ "$1" != --one ]; then
    how=$1 engine=sim
    shift
    if [ "${1:-}" = --engine ]; then
        engine=$2
        shift 2
    fi
    command -v nvcc > /dev/null 2>&1 || [ -x "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" ] || { echo "there is no nvcc"; exit 77; }
    if [ "$how" = card ] || [ "$engine" = cuda ]; then
        nvidia-smi -L > /dev/null 2>&1 || { echo "there is no card"; exit 77; }
    fi
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    if [ $# -eq 0 ]; then
        for file in "$here"/samples/*.cu; do
            set -- "$@" "$(basename "$file" .cu)"
        done
    fi
    printf '%s\n' "$@" | xargs -P "${WARPGRADE_JOBS:-$(nproc)}" -n 1 sh "$0" --one "$how" "$engine" "$work" | tee "$work/lines"
    same=$(grep -c '^same' "$work/lines") refused=$(grep -c '^refused' "$work/lines")
    echo "$how: $# programs, $same the same, $refused refused as they must be"
    [ $((same + refused)) -eq $# ]
    exit
fi

how=$2 engine=$3 work=$4 name=$5
file=$here/samples/$name.cu said=$here/samples/said/$name.txt
option() { sed -n "s|^// $1: ||p" "$file"; }
begun=$(date +%s.%N)
took() { echo "$(date +%s.%N) $begun" | awk '{ printf "%.1f", $1 - $2 }'; }
if [ "$how" = card ]; then
    nvcc=$(command -v nvcc || echo "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc")
    # shellcheck disable=SC2046
    "$nvcc" -arch=native -std=c++17 $(option nvcc) -o "$work/$name" "$file" > "$work/$name.build" 2>&1
else
    # shellcheck disable=SC2046
    "$how" nvcc -std=c++17 $(option nvcc) $(option 'nvcc for warpgrade') -o "$work/$name" "$file" > "$work/$name.build" 2>&1
fi || {
    echo "does not build $name $(took)"
    sed 's/^/    /' "$work/$name.build" | head -5
    exit 0
}
# shellcheck disable=SC2046
if [ "$how" = card ]; then
    option stdin | timeout 100 "$work/$name" $(option arguments) > "$work/$name.out" 2> "$work/$name.err"
    echo "exit code $?" >> "$work/$name.out"
else
    # A hazard that is a warning leaves the exit code alone.
    option stdin | timeout 100 "$how" run --engine "$engine" "$work/$name" $(option arguments) > "$work/$name.out" 2> "$work/$name.err"
    echo "exit code $?" >> "$work/$name.out"
fi
if [ "$how" = card ] && [ -n "${WARPGRADE_UPDATE_GOLDEN:-}" ]; then
    mkdir -p "$here/samples/said"
    cp "$work/$name.out" "$said"
fi
if [ "$engine" = cuda ] && [ -n "$(option 'not by a worker')" ]; then
    if grep -q '^. unsupported' "$work/$name.err" && ! cmp -s "$work/$name.out" "$said"; then
        echo "refused $name $(took)"
        exit 0
    fi
    echo "DIFFERS $name $(took), is not refused"
elif cmp -s "$work/$name.out" "$said"; then
    echo "same $name $(took)"
else
    echo "DIFFERS $name $(took)"
    diff "$said" "$work/$name.out" 2>&1 | head -8 | sed 's/^/    /'
    grep -v '^ *$' "$work/$name.err" | head -4 | sed 's/^/    | /'
fi
