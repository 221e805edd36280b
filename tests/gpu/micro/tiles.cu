// The traffic of a transposition and nothing else: tiles of 32 rows of 32 elements are read, stored, or
// read and stored, the latter where the transposed tile would be (SWAPPED) or in the same place. With
// ROWS a block takes 32 pieces of one row, one after the other, instead.
__device__ static float fold(float v) { return v; }
__device__ static float fold(float2 v) { return v.x + v.y; }
__device__ static float fold(float4 v) { return v.x + v.y + v.z + v.w; }

__global__ void run(const TYPE *in, TYPE *out, unsigned long long *cycles, int width)
{
    TYPE v[4] = {};
    unsigned tile = blockIdx.y * gridDim.x + blockIdx.x;
    long long start = clock64();
    size_t step = ROWS ? 32 : width, at = (size_t)tile * 1024 + threadIdx.y * 32 + threadIdx.x, to = at;
    if (!ROWS) {
        at = (size_t)(blockIdx.y * 32 + threadIdx.y) * width + blockIdx.x * 32 + threadIdx.x;
        to = SWAPPED ? (size_t)(blockIdx.x * 32 + threadIdx.y) * width + blockIdx.y * 32 + threadIdx.x : at;
    }
    if (LOAD)
#pragma unroll
        for (int j = 0; j < 4; j++)
            v[j] = in[at + j * 8 * step];
    if (STORE)
#pragma unroll
        for (int j = 0; j < 4; j++)
            out[to + j * 8 * step] = v[j];
    else if (fold(v[0]) + fold(v[1]) + fold(v[2]) + fold(v[3]) == 1.2345f)
        out[0] = v[0];
    if (threadIdx.x + threadIdx.y == 0)
        cycles[tile] = clock64() - start;
}
