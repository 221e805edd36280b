// Loads that hit the first-level cache: lanes `stride` bytes apart in 16 KiB, 512 requests a warp. The
// place changes from load to load, so that none can be left out.
__device__ static unsigned fold(unsigned v) { return v; }
__device__ static unsigned fold(uint2 v) { return v.x ^ v.y; }
__device__ static unsigned fold(uint4 v) { return v.x ^ v.y ^ v.z ^ v.w; }

__global__ void run(const char *in, unsigned *out, unsigned long long *cycles, unsigned stride)
{
    unsigned at = threadIdx.x % 32 * stride, sum = 0;
    for (unsigned i = threadIdx.x * 16; i < 16384; i += blockDim.x * 16)
        sum ^= fold(__ldca((const uint4 *)(in + i)));
    __syncthreads();
    long long start = clock64();
#pragma unroll 1
    for (int j = 0; j < 64; j++) {
        TYPE v[8];
        at += 512;
#pragma unroll
        for (int u = 0; u < 8; u++)
            v[u] = __ldca((const TYPE *)(in + (at + u * 2048 & 16383)));
#pragma unroll
        for (int u = 0; u < 8; u++)
            sum ^= fold(v[u]);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        cycles[blockIdx.x] = clock64() - start;
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
