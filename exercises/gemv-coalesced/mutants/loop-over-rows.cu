// A thread walks along its row: that is as many steps as there are columns.
__global__ void gemv(const float *A, const float *x, float *y, int rows, int cols)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int col = 0; col < rows; col++)
        sum += A[(size_t)col * rows + row] * x[col];
    y[row] = sum;
}
