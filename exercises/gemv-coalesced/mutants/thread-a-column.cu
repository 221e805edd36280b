// Every thread writes every element of y: the sums of others are lost.
__global__ void gemv(const float *A, const float *x, float *y, int rows, int cols)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    for (int row = col; row < rows; row += gridDim.x * blockDim.x)
        y[row] = 0.0f;
    if (col >= cols)
        return;
    for (int row = 0; row < rows; row++)
        y[row] += A[(size_t)col * rows + row] * x[col];
}
