// y = A * x, A stored column by column, a thread a row: neighbouring lanes read neighbours.
__global__ void gemv_column(const float *a, const float *x, float *y, int rows, int columns)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int j = 0; j < columns; j++)
        sum += a[j * rows + row] * x[j];
    y[row] = sum;
}
