#!/bin/sh
# Runs a whole program and compares what it prints with what a card has printed:
# compare.sh WARPGRADE PROGRAM.cu RECORDED [ENGINE]. Skipped (77) where there is no nvcc.
"${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" --version > /dev/null 2>&1 || exit 77
out=$(mktemp) || exit 2
trap 'rm -f "$out"' EXIT
"$1" run --engine "${4:-sim}" "$2" > "$out" || exit 1
diff "$3" "$out"
