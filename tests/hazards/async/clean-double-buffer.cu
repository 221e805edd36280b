// sim --grid 2 --block 64 --arg f32*1024=uniform:const --arg f32*1024=uninit
#include <cuda_pipeline.h>
// Tiles of 64 floats, two in flight, each reversed by the block.
__global__ void k(const float *in, float *out) {
    __shared__ float s[2][64];
    const float *from = in + blockIdx.x * 512;
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[0][t], from + t, 4);
    __pipeline_commit();
    for (int tile = 0; tile < 8; tile++) {
        if (tile + 1 < 8)
            __pipeline_memcpy_async(&s[(tile + 1) % 2][t], from + (tile + 1) * 64 + t, 4);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        out[blockIdx.x * 512 + tile * 64 + t] = s[tile % 2][63 - t];
        __syncthreads();
    }
}
__global__ void check(const float *in, float *out) {
    for (int i = 0; i < 1024; i++)
        if (out[i] != in[i / 64 * 64 + 63 - i % 64])
            __trap();
}
