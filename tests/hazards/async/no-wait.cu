// sim --grid 1 --block 64 --arg f32*512=uniform:const --arg f32*512=zero
// advises Wait for the copy
#include <cuda_pipeline.h>
__global__ void k(const float *in, float *out) {
    __shared__ __align__(16) float s[512];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[t], 4);
    __pipeline_commit();
    __syncthreads();
    out[t] = s[t]; // HAZARD uninitialized-read error
} // says still on its way
