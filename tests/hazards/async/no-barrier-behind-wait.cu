// sim --grid 1 --block 64 --arg f32*512=uniform:const --arg f32*512=zero
#include <cuda_pipeline.h>
__global__ void k(const float *in, float *out) {
    __shared__ __align__(16) float s[512];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4); // HAZARD shared-race error
    __pipeline_commit();
    __pipeline_wait_prior(0); // of this thread's own copies only
    out[t] = s[63 - t]; // HAZARD shared-race error
} // maybe uninitialized-read
