// y += ... needs a y to start from.
__global__ void gemv(const float *A, const float *x, float *y, int rows, int cols)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    for (int col = 0; col < cols; col++)
        y[row] += A[(size_t)col * rows + row] * x[col];
}
