// sim --grid 1 --block 32 --arg f32*512=uniform:const --arg f32*512=zero
#include <cuda_pipeline.h>
__global__ void k(const float *in, float *out) {
    __shared__ __align__(16) float s[512];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[4 * t], &in[4 * t + 1], 16); // HAZARD misaligned error
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[t] = s[4 * t];
}
