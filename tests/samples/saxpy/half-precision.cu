// warpgrade: saxpy
// Subtly wrong: fast, and right to three digits only.
#include <cuda_fp16.h>

__global__ void saxpy(int n, float alpha, const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        __half product = __hmul(__float2half(alpha), __float2half(x[i]));
        y[i] = __half2float(product) + y[i];
    }
}
