// sim --grid 1 --block 32 --arg u16*128=iota --arg f32*32=zero --arg i32=77
// says read of 4 bytes at s[76], of which nothing has written s[77] yet
#include <cuda_fp16.h>
__global__ void k(const unsigned short *in, float *out, int n) {
    __shared__ __half s[128];
    int t = threadIdx.x;
    for (int i = t; i < n; i += blockDim.x)
        s[i] = __ushort_as_half(in[i]);
    __syncthreads();
    const __half2 *p = (const __half2 *)s;
    float sum = 0;
    for (int i = t; i < (n + 1) / 2; i += blockDim.x) {
        __half2 v = __hadd2(p[i], p[i]); // HAZARD uninitialized-read error
        sum += __low2float(v) + __high2float(v);
    }
    out[t] = sum;
}
