// Eleven bits of precision where the type promises twenty-four.
#include <cuda_fp16.h>

#define BLOCK_SIZE 256

__global__ void gemv(const float *A, const float *x, float *y, int rows, int cols)
{
    __shared__ __half part[BLOCK_SIZE];
    int row = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    float sum = 0.0f;
    for (int first = 0; first < cols; first += BLOCK_SIZE) {
        if (first + threadIdx.x < cols)
            part[threadIdx.x] = __float2half(x[first + threadIdx.x]);
        __syncthreads();
        int count = min(BLOCK_SIZE, cols - first);
        if (row < rows)
            for (int i = 0; i < count; i++)
                sum += A[(size_t)(first + i) * rows + row] * __half2float(part[i]);
        __syncthreads();
    }
    if (row < rows)
        y[row] = sum;
}
