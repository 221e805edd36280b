// Eleven bits of precision where the type promises twenty-four.
#include <cuda_fp16.h>

__global__ void saxpy(int n, float alpha, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = __half2float(__float2half(alpha) * __float2half(x[i]) + __float2half(y[i]));
}
