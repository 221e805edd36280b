#!/bin/sh
# Usage: new.sh WARPGRADE FOLDER. What the command asks where the kernel does not say, and what stands in the
# files. What it makes of a plain kernel, docs/writing-an-exercise.md shows.
warpgrade=$1
rm -rf "$2" && mkdir -p "$2" && cd "$2" || exit 1
failed=0
fail() {
    echo "$*" >&2
    failed=1
}
holds() { # FILE LINE
    grep -qF -- "$2" "$1" || fail "$1 does not hold: $2"
}

cat >two.cu <<'END'
__global__ void shift(float *x, float by, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n)
        x[i] = 2.0f * x[i] + by;
}
__global__ void other(int *x) { if (*x < 3) *x = 1; }
END
"$warpgrade" author new two --from two.cu 2>errors && fail "two kernels, and no question"
holds errors "Which one is the exercise about?"
holds errors "--kernel shift"
"$warpgrade" author new two --from two.cu --kernel shift --seed 1 >printed 2>errors || fail "$(cat errors)"
yaml=exercises/two/exercise.yaml
holds $yaml "  - {name: x, type: f32, role: inout, shape: [n], fill: uniform, tolerance: {ulp: 4}}"
holds $yaml "  - {name: by, type: f32, role: scalar, fill: uniform}"
holds $yaml '  grid: ["max(1, ceil_div(n, 128))"]'
holds reference/two/reference.cu "repeats every mistake of it"
holds reference/two/reference.cu "reference(double *x, float by, int n)"
holds printed "reference.cu: it is the kernel in double and repeats its mistakes"
"$warpgrade" author new two --from two.cu --kernel shift 2>errors && fail "an exercise is overwritten"
holds errors "is there already"
grep -rq "x <= 3" exercises/two/mutants && fail "another kernel of the file was changed"

# A block a row, its index not scaled; dynamic shared memory, doubles in the reference; the signature's headers.
cat >rows.cu <<'END'
#include <cuda_fp16.h>
__constant__ float scale[1] = {1.0f};
__constant__ float unset[1];
__global__ void __launch_bounds__(64) rows(const __half *x, __half *first, int height, int width)
{
    extern __shared__ float row[];
    const int y = blockIdx.x;
    for (int i = threadIdx.x; i < width; i += blockDim.x)
        row[threadIdx.x] = x[y * width + i];
    if (threadIdx.x == 0)
        first[y] = row[0] * scale[0];
}
END
"$warpgrade" author new rows --from rows.cu --seed 1 >printed 2>errors || fail "$(cat errors)"
holds printed "rows of rows.cu, launched with max(1, height) blocks of 64 threads"
holds printed "with 256 bytes of dynamic shared memory a block"
holds printed "\`shared\`, 256 bytes, is what was enough"
holds printed "const __half *x  [height, width]"
holds printed "statement.zh.md"
holds printed "nothing sets a __constant__ variable"
holds exercises/rows/exercise.yaml "  shared: 256"
holds exercises/rows/exercise.yaml "    shared: 512"
holds exercises/rows/skeleton.cu "#include <cuda_fp16.h>"
holds exercises/rows/skeleton.cu "rows<<<max(1, height), 64, 256>>>(x, first, height, width);"

printf 'template <class T> __global__ void fill(T *x) { *x = 0; }\n' >template.cu
"$warpgrade" author new template --from template.cu 2>errors && fail "a template"
holds errors "fill is a template; an exercise has one signature"
printf '__global__ void k(float4 *x) { x->x = 0; }\n' >vector.cu
"$warpgrade" author new vector --from vector.cu 2>errors && fail "a vector"
holds errors 'the parameter x of k has the type `float4 *`, which no exercise has'
printf 'namespace lab { __global__ void k(float *x, int n) { if (threadIdx.x < n) x[0] = 1; } }\n' >name.cu
"$warpgrade" author new name --from name.cu 2>errors && fail "a namespace"
holds errors 'lab::k stands in a namespace or a class'
[ -e exercises/name ] && fail "folders of a kernel that no exercise can name"
printf '__global__ void k(float *x, int n) { if (threadIdx.z < n) x[threadIdx.z] = 1; }\n' >axes.cu
"$warpgrade" author new axes --from axes.cu 2>errors && fail "three axes"
holds errors 'k uses the third axis'
printf 'struct size { int n; }; __global__ void k(size s, float *x) { x[0] = s.n; }\n' >struct.cu
"$warpgrade" author new struct --from struct.cu 2>errors && fail "a structure"
holds errors 'write one parameter for each member, `int n`.'
refused() { # TYPE HINT [DECLARATION]
    printf '%s\n__global__ void k(%s a, float *x) { x[0] = 0; }\n' "$3" "$1" >type.cu
    "$warpgrade" author new type --from type.cu 2>errors && fail "$1"
    holds errors "$2"
}
refused 'const pixel *' 'write a buffer for each member, `const float *a_r`, `const float *a_g`.' \
    'struct pixel { float r; float g; };'
refused 'pixel *' 'write `float *a`, or whichever number it is made of' 'struct pixel { float r, g; };'
refused 'const float4 *' '`reinterpret_cast<const float4 *>(a)`'
refused 'mode' 'write `int a`' 'enum mode { FAST, EXACT };'
refused 'bool' 'write `int a`'
refused 'const bool *' '`const unsigned char *a`: 0 is false'
refused 'float **' 'one buffer a parameter'
refused 'const float &' 'nothing that a reference could be bound to'

# A byte may be written with any value, the poison's too.
printf '__global__ void bytes(const unsigned char *in, unsigned char *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] + 1; }\n' >bytes.cu
"$warpgrade" author new bytes --from bytes.cu --seed 1 >printed 2>errors || fail "$(cat errors)"
holds printed "  out    unsigned char *out  [n]"

# A text: letters, so that what only letters show is seen.
printf '__global__ void upper(const char *in, char *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] >= 97 ? in[i] - 32 : in[i]; }\n' >upper.cu
"$warpgrade" author new upper --from upper.cu --seed 1 >printed 2>errors || fail "$(cat errors)"
holds exercises/upper/exercise.yaml 'type: i8, role: in, shape: [n], fill: {integers: [0, 127]}'
grep -q 'copy: expected below the pass mark' printed && fail "a copy passes"
printf '__global__ void k(float *x, int n) { x[n * 100000] = 0; }\n' >outside.cu
"$warpgrade" author new outside --from outside.cu 2>errors && fail "a kernel that does not run"
holds errors "k does not run by itself: out-of-bounds"
[ -e exercises/outside ] && fail "folders of a kernel that does not run"
exit $failed
