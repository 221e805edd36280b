#!/bin/sh
# What calls and copies of a whole program cost on the simulated card: tests/bench/calls.sh [WARPGRADE]
#
# Prints what programs/calls.cu measures and each bar with it; ends with 1 where one is missed, 77 where there is
# no nvcc. Figures are the best of many batches, but two idle cores are wanted: the program and the simulator
# each use one.
set -u
here=$(cd "$(dirname "$0")" && pwd)
warpgrade=${1:-$here/../../build/warpgrade}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v nvcc > /dev/null 2>&1 || [ -x "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" ] || { echo "there is no nvcc"; exit 77; }
"$warpgrade" nvcc -O2 -std=c++17 -o "$work/calls" "$here/programs/calls.cu" || exit 2
"$warpgrade" run "$work/calls" > "$work/said" 2> "$work/messages" || { cat "$work/said" "$work/messages"; exit 2; }
cat "$work/said"
awk '
    function bar(name, holds, wanted) { printf "%s: %s (%s)\n", holds ? "met" : "MISSED", name, wanted; missed += !holds }
    { name = $0; sub(/ +[0-9.]+ (us|GB\/s)$/, "", name); figure[name] = $(NF - 1) }
    END {
        bar("a call", figure["a call: cudaMemset of 4 bytes"] < 20 && figure["a call: cudaDeviceSynchronize"] < 20, "under 20 us")
        bar("copies", figure["copies to the card"] >= 2 && figure["copies from the card"] >= 2, "2 GB/s or more")
        bar("the first copy", figure["the first copy into new memory"] >= 0.5 * figure["beside it: memcpy into new memory"], \
            "half of what memcpy() does with new memory, or more")
        exit missed > 0
    }' "$work/said"
