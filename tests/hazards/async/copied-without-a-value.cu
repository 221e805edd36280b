// sim --grid 1 --block 128 --arg f32*128=uninit --arg f32*64=uninit
#include <cuda_pipeline.h>
__global__ void k(float *rows, float *out) {
    __shared__ __align__(16) float s[256];
    int t = threadIdx.x;
    if (t % 4 != 3)
        rows[t] = t;
    __syncthreads();
    if (t < 32) {
        __pipeline_memcpy_async(s + 4 * t, rows + 4 * t, 16);
        __pipeline_memcpy_async(s + 128 + 4 * t, rows + 4 * t, 16, 1);
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    if (t < 32) {
        float4 v = ((float4 *)s)[t]; // HAZARD uninitialized-read error
        out[t] = v.x + v.y + v.z + v.w;
        out[32 + t] = s[128 + 4 * t + 3] + 1; // HAZARD uninitialized-read error
    }
}
