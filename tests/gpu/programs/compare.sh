#!/bin/sh
# Runs a whole program on the simulated GPU and compares what it prints with what a card has printed:
# compare.sh WARPGRADE PROGRAM.cu RECORDED. Skipped (77) where there is no nvcc.
"${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" --version > /dev/null 2>&1 || exit 77
out=$(mktemp) || exit 2
trap 'rm -f "$out"' EXIT
"$1" run "$2" > "$out" || exit 1
diff "$3" "$out"
