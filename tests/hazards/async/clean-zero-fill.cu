// sim --grid 1 --block 32 --arg f32*99=uniform:const --arg f32*128=uninit --arg i32=99
#include <cuda_pipeline.h>
// The last vector is cut: what lies after the array is not read, and zeros come.
__global__ void k(const float *in, float *out, int n) {
    __shared__ float4 s[32];
    int left = n - 4 * (int)threadIdx.x, missing = left >= 4 ? 0 : left <= 0 ? 16 : 16 - 4 * left;
    __pipeline_memcpy_async(&s[threadIdx.x], reinterpret_cast<const float4 *>(in) + (left > 0 ? threadIdx.x : 0), 16, missing);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int i = threadIdx.x; i < 128; i += 32)
        out[i] = reinterpret_cast<float *>(s)[i];
}
__global__ void check(const float *in, float *out, int n) {
    for (int i = 0; i < 128; i++)
        if (out[i] != (i < n ? in[i] : 0))
            __trap();
}
