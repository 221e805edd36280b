// Eleven bits of precision where the type promises twenty-four.
#include <cuda_fp16.h>

__global__ void matmul(const float *M, const float *N, float *P, int width)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= width || col >= width)
        return;
    __half sum = __float2half(0.0f);
    for (int i = 0; i < width; i++)
        sum = __hadd(sum, __float2half(M[row * width + i] * N[i * width + col]));
    P[row * width + col] = __half2float(sum);
}
