// In order, and computed with eleven bits.
#include <cuda_fp16.h>

#define ELEMENTS 8

__global__ void convert(const float *fahrenheit, float *celsius, int n)
{
    int first = blockIdx.x * blockDim.x * ELEMENTS + threadIdx.x;
    for (int k = 0; k < ELEMENTS; k++) {
        int i = first + k * blockDim.x;
        if (i < n)
            celsius[i] = __half2float(__float2half((fahrenheit[i] - 32.0f) * (5.0f / 9.0f)));
    }
}
