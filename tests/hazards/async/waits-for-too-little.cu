// sim --grid 1 --block 64 --arg f32*512=uniform:const --arg f32*512=zero
#include <cuda_pipeline.h>
__global__ void k(const float *in, float *out) {
    __shared__ __align__(16) float s[512];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4);
    __pipeline_commit();
    __pipeline_memcpy_async(&s[t + 64], &in[t + 64], 4);
    __pipeline_commit();
    __pipeline_wait_prior(1); // the second may still be on its way
    __syncthreads();
    out[t] = s[t];
    out[t + 64] = s[t + 64]; // HAZARD uninitialized-read error
}
