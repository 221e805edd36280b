// sim --grid 1 --block 256 --arg f32*512=uniform:const --arg f32*512=zero
#include <cuda_pipeline.h>
__global__ void k(const float *in, float *out) {
    __shared__ __align__(16) float s[512];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[2 * t + 2], 4); // HAZARD out-of-bounds error
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[t] = s[t];
}
// says arg0[512]
