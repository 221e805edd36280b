// sim --grid 1 --block 64 --arg f32*512=uniform:const --arg f32*512=zero
#include <cuda_pipeline.h>
__global__ void k(const float *in, float *out) {
    __shared__ __align__(16) float s[512];
    int t = threadIdx.x;
#pragma unroll 1
    for (int tile = 0; tile < 4; tile++) {
        __pipeline_memcpy_async(&s[t], &in[tile * 64 + t], 4); // HAZARD shared-race error
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        out[tile * 64 + t] = s[63 - t]; // HAZARD shared-race error: the next copy does not wait
    }
}
// maybe uninitialized-read
