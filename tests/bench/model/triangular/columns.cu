// As thread_a_row, but the matrix stands column by column.
__global__ void multiply(const float *matrix, const float *x, float *y, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n)
        return;
    float sum = 0.0f;
    for (int column = 0; column <= row; column++)
        sum += matrix[(size_t)column * n + row] * x[column];
    y[row] = sum;
}
