// A sparse matrix, 32 entries a row, times a vector: a thread a row, a row's entries side by side.
// rows is a power of two.
__global__ void multiply(const unsigned *columns, const float *values, const float *x, float *y,
                         int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int i = 0; i < 32; i++) {
        int at = row * 32 + i;
        sum += values[at] * x[columns[at] & (rows - 1)];
    }
    y[row] = sum;
}
