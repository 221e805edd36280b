// warpgrade: reduce-shuffle
// each warp adds to a shared accumulator with an atomic
#define BLOCK_SIZE 128
#define ITEMS 16

__global__ void reduce(const float *x, float *out, int n)
{
    __shared__ float blockTotal;
    const unsigned t = threadIdx.x;
    if (t == 0)
        blockTotal = 0.f;
    __syncthreads();
    float a = 0.f, b = 0.f;
    const int base = blockIdx.x * (BLOCK_SIZE * ITEMS) + t;
#pragma unroll
    for (int k = 0; k < ITEMS; k += 2) {
        int p = base + k * BLOCK_SIZE, q = p + BLOCK_SIZE;
        a += p < n ? x[p] : 0.f;
        b += q < n ? x[q] : 0.f;
    }
    a += b;
#pragma unroll
    for (int step = 1; step < 32; step <<= 1)
        a += __shfl_down_sync(~0u, a, step);
    if (t % warpSize == 0)
        atomicAdd(&blockTotal, a);
    __syncthreads();
    if (t == 0)
        atomicAdd(out, blockTotal);
}
