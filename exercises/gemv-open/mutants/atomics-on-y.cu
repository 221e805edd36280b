// y is not zero beforehand.
#define ROWS_PER_BLOCK 8
#define THREADS        256

__global__ void gemv(const float *A, const float *x, float *y, int rows, int cols)
{
    int lane = threadIdx.x % 32;
    int row = blockIdx.x * ROWS_PER_BLOCK + threadIdx.x / 32;
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int col = lane; col < cols; col += 32)
        sum += A[(size_t)row * cols + col] * x[col];
    atomicAdd(&y[row], sum);
}
