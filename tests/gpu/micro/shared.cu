// Shared memory with lanes `stride` bytes apart: 512 requests a warp, loads or stores of TYPE. The
// place changes from request to request, so that none can be left out.
__device__ static unsigned fold(unsigned v) { return v; }
__device__ static unsigned fold(uint2 v) { return v.x ^ v.y; }
__device__ static unsigned fold(uint4 v) { return v.x ^ v.y ^ v.z ^ v.w; }
__device__ static void make(unsigned *v, unsigned x) { *v = x; }
__device__ static void make(uint2 *v, unsigned x) { *v = make_uint2(x, x); }
__device__ static void make(uint4 *v, unsigned x) { *v = make_uint4(x, x, x, x); }

__global__ void run(unsigned *out, unsigned long long *cycles, unsigned stride)
{
    __shared__ __align__(16) char memory[16384];
    unsigned at = threadIdx.x % 32 * stride, sum = 0;
    for (unsigned i = threadIdx.x; i < 4096; i += blockDim.x)
        ((unsigned *)memory)[i] = i;
    __syncthreads();
    long long start = clock64();
#pragma unroll 1
    for (int j = 0; j < 64; j++) {
        at += 512;
#if STORE
        TYPE v;
        make(&v, j);
#pragma unroll
        for (int u = 0; u < 8; u++)
            *(TYPE *)(memory + (at + u * 1024 & 16383)) = v;
#else
        TYPE v[8];
#pragma unroll
        for (int u = 0; u < 8; u++)
            v[u] = *(TYPE *)(memory + (at + u * 1024 & 16383));
#pragma unroll
        for (int u = 0; u < 8; u++)
            sum ^= fold(v[u]);
#endif
    }
    __syncthreads();
    long long end = clock64();
    if (threadIdx.x == 0)
        cycles[blockIdx.x] = end - start;
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum ^ ((unsigned *)memory)[threadIdx.x];
}
