// sim --kernel neighbours --grid 1 --block 64 --arg f32*64=iota --arg f32*64=uninit
// Shuffles of halves: cuda_fp16.h computes its clamp with WARP_SZ.
#include <cuda_fp16.h>

__global__ void neighbours(const float *in, float *out) {
    half value = __float2half(in[threadIdx.x]);
    half2 both = __halves2half2(value, __hneg(value));
    half2 other = __shfl_xor_sync(0xffffffff, both, 1);
    out[threadIdx.x] = __half2float(__shfl_down_sync(0xffffffff, value, 2, 8)) +
                       100 * __high2float(other);
}

__global__ void check(const float *in, const float *out) {
    for (int i = 0; i < 64; i++)
        if (out[i] != (i % 8 < 6 ? i + 2 : i) - 100 * (i ^ 1))
            __trap();
}
