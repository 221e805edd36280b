// sim --grid 1 --block 128 --arg f32*128=uninit --arg f32*64=uninit
// rows are copied with parts that are not needed, whole or cut
#include <cuda_pipeline.h>
__global__ void k(float *rows, float *out) {
    __shared__ __align__(16) float s[256];
    int t = threadIdx.x;
    if (t % 4 != 3)
        rows[t] = t;
    __syncthreads();
    if (t < 32) {
        __pipeline_memcpy_async(s + 4 * t, rows + 4 * t, 16);
        __pipeline_memcpy_async(s + 128 + 4 * t, rows + 4 * t, 16, 4);
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    if (t < 32) {
        float4 v = ((float4 *)s)[t], w = ((float4 *)s)[32 + t];
        out[t] = v.x + v.y + v.z;
        out[32 + t] = w.x + w.w;
    }
}
