#!/bin/sh
# How long a student waits for speed: profiles of a matrix-vector product of 16384 x 16384 (a gibibyte
# of matrix), and two graded submissions, each after a first run that fills the compiler's cache.
# The bars are for two idle cores.
# Prints the median of RUNS (5) and ends with 1 where one is above its bar.
#
#     tests/bench/profile.sh [build/warpgrade]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
warpgrade=${1:-$here/../../build/warpgrade}
runs=${RUNS:-5}
missed=0

now() { date +%s%N; }

# measure NAME BAR_MS COMMAND...: what it prints is dropped, its exit code must be 0
measure() {
    name=$1 bar=$2
    shift 2
    "$@" >/dev/null
    times=$(
        i=0
        while [ $i -lt "$runs" ]; do
            start=$(now)
            "$@" >/dev/null
            echo $((($(now) - start) / 1000000))
            i=$((i + 1))
        done | sort -n
    )
    median=$(echo "$times" | sed -n "$(((runs + 1) / 2))p")
    verdict=ok
    if [ "$median" -gt "$bar" ]; then
        verdict=missed
        missed=1
    fi
    printf '%-44s %6d ms   bar %5d ms   %s\n' "$name" "$median" "$bar" "$verdict"
}

gemv() {
    "$warpgrade" profile --block 256 --grid "$2" \
        --arg 'f32*268435456=uniform:const' --arg 'f32*16384=uniform:const' \
        --arg 'f32*16384=uninit' --arg i32=16384 --arg i32=16384 "$here/kernels/$1.cu"
}

measure 'profile gemv, a thread a row' 2000 gemv gemv_row 64
measure 'profile gemv, by columns' 2000 gemv gemv_column 64
measure 'profile gemv, a warp a row' 2000 gemv gemv_warp 2048
measure 'grade saxpy' 150 "$warpgrade" grade --no-record "$here/../samples/saxpy/good.cu"
measure 'grade matmul-boundary' 400 "$warpgrade" grade --no-record \
    "$here/../samples/matmul-boundary/good.cu"
exit $missed
