// warpgrade: reduce-shuffle
#define BLOCK_SIZE 512
#define ITEMS 8
#define FULL 0xffffffff

// butterfly: every lane ends with the whole sum
__device__ float butterfly(float v)
{
    v += __shfl_xor_sync(FULL, v, 16);
    v += __shfl_xor_sync(FULL, v, 8);
    v += __shfl_xor_sync(FULL, v, 4);
    v += __shfl_xor_sync(FULL, v, 2);
    v += __shfl_xor_sync(FULL, v, 1);
    return v;
}

__global__ void reduce(const float *x, float *out, int n)
{
    __shared__ float part[BLOCK_SIZE / 32];
    const float *p = x + (size_t)blockIdx.x * (BLOCK_SIZE * ITEMS);
    int left = n - (int)(blockIdx.x * (BLOCK_SIZE * ITEMS));
    float v = 0;
    int i = threadIdx.x;
    while (i < left && i < BLOCK_SIZE * ITEMS) {
        v += p[i];
        i += BLOCK_SIZE;
    }
    v = butterfly(v);
    if ((threadIdx.x & 31) == 31)
        part[threadIdx.x >> 5] = v;
    __syncthreads();
    if (threadIdx.x >= 32)
        return;
    v = 0;
    if (threadIdx.x < BLOCK_SIZE / 32)
        v = part[threadIdx.x];
    v = butterfly(v);
    if (threadIdx.x == 0)
        atomicAdd(out, v);
}
