// Right, but each step reads and writes y where a register is enough.
__global__ void gemv(const float *A, const float *x, float *y, int rows, int cols)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    y[row] = 0.0f;
    for (int col = 0; col < cols; col++)
        y[row] += A[(size_t)col * rows + row] * x[col];
}
