#!/bin/sh
# sandbox/runtime/symbol.def has a row for each function of the CUDA runtime: check_runtime.sh TREE. Those are what the
# toolkit's header declares and what its library exports; skipped (77) where neither is there, or of another version.
cuda=${CUDA_HOME:-/usr/local/cuda}
header=$cuda/include/cuda_runtime_api.h
grep -q '^#define CUDART_VERSION  *13000' "$header" 2> /dev/null || exit 77
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
sed -n 's/^SYMBOL(\([A-Za-z0-9_]*\), .*/\1/p' "$1/sandbox/runtime/symbol.def" | LC_ALL=C sort > "$scratch/rows"
{
    # "extern __host__ cudaError_t CUDARTAPI cudaFree(void *devPtr);"; templates of C++ are no functions of the library
    sed -n 's/^extern __host__.*CUDARTAPI  *\(cuda[A-Za-z0-9]*\)(.*/\1/p' "$header" | sed 's/_v[0-9]*$//'
    for library in "$cuda"/lib64/libcudart.so.13 "$cuda"/lib/libcudart.so.13; do
        [ -f "$library" ] && nm -D --defined-only "$library" | sed -n 's/.* [TW] \(_*cuda[A-Za-z0-9_]*\).*/\1/p'
    done
} | LC_ALL=C sort -u > "$scratch/functions"
LC_ALL=C comm -13 "$scratch/rows" "$scratch/functions" > "$scratch/missing"
LC_ALL=C comm -23 "$scratch/rows" "$scratch/functions" > "$scratch/strange"
[ "$(uniq -d "$scratch/rows")" ] && { echo "sandbox/runtime/symbol.def: twice:" && uniq -d "$scratch/rows"; exit 1; }
[ -s "$scratch/missing" ] && { echo "sandbox/runtime/symbol.def has no row for:" && cat "$scratch/missing"; exit 1; }
nm -D "$cuda"/lib64/libcudart.so.13 > /dev/null 2>&1 || exit 0 # without it, graphics and old functions are unknown
[ -s "$scratch/strange" ] && { echo "sandbox/runtime/symbol.def: no functions of the runtime:" && cat "$scratch/strange"; exit 1; }
exit 0
