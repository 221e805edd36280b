// Loads that hit the first-level cache: PLACE says where each lane reads, in bytes, 512 requests a warp.
// As first_level, but the addresses cost nearly no instructions, so that the cache is what limits.
__device__ static unsigned fold(unsigned char v) { return v; }
__device__ static unsigned fold(unsigned v) { return v; }
__device__ static unsigned fold(uint2 v) { return v.x ^ v.y; }
__device__ static unsigned fold(uint4 v) { return v.x ^ v.y ^ v.z ^ v.w; }

__global__ void run(const char *in, unsigned *out, unsigned long long *cycles)
{
    unsigned lane = threadIdx.x % 32, at = 0, sum = 0;
    for (unsigned i = threadIdx.x * 16; i < 65536; i += blockDim.x * 16)
        sum ^= fold(__ldca((const uint4 *)(in + i)));
    const char *from = in + (PLACE);
    __syncthreads();
    long long start = clock64();
#pragma unroll 1
    for (int j = 0; j < 32; j++) {
        TYPE v[16];
        at ^= 8192;
#pragma unroll
        for (int u = 0; u < 16; u++)
            v[u] = __ldca((const TYPE *)(from + at + u * 512));
#pragma unroll
        for (int u = 0; u < 16; u++)
            sum ^= fold(v[u]);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        cycles[blockIdx.x] = clock64() - start;
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum + lane;
}
