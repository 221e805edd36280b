// y = A * x, A stored row by row, a thread a row: neighbouring lanes read far apart.
__global__ void gemv_row(const float *a, const float *x, float *y, int rows, int columns)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int j = 0; j < columns; j++)
        sum += a[row * columns + j] * x[j];
    y[row] = sum;
}
