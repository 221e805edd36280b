// Eleven bits of precision where the type promises twenty-four.
#include <cuda_fp16.h>

__global__ void vector_multiply(float *a, const float *b, const float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = __half2float(__float2half(b[i]) * __float2half(c[i]));
}
