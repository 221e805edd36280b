// cols - 1 products in place of cols.
__global__ void gemv(const float *A, const float *x, float *y, int rows, int cols)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int col = 0; col < cols - 1; col++)
        sum += A[(size_t)row * cols + col] * x[col];
    y[row] = sum;
}
