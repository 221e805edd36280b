// sim --grid 1 --block 64 --arg f32*512=uniform:const --arg f32*512=zero
#include <cuda_pipeline.h>
__global__ void k(const float *in, float *out) {
    __shared__ __align__(16) float s[512];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4);
    __pipeline_wait_prior(0); // waits for groups, and there is none
    __syncthreads();
    out[t] = s[t]; // HAZARD uninitialized-read error
}
