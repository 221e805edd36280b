// sim --grid 1 --block 32 --arg f32*32=iota --arg f32*32=uninit
#include <cuda_fp16.h>
__global__ void k(const float *in, float *out) {
    __shared__ __half2 s[32];
    int x = threadIdx.x;
    ((__half *)&s[x])[0] = __float2half(in[x]);
    __syncwarp();
    __half2 v = __hadd2(s[31 - x], s[31 - x]); // HAZARD uninitialized-read error
    v = __hmul2(v, v);
    out[x] = __high2float(v);
}
