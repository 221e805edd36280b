// As row_major, but the rows' first entries stand side by side, then the second ones, and so on.
__global__ void multiply(const unsigned *columns, const float *values, const float *x, float *y,
                         int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int i = 0; i < 32; i++) {
        int at = i * rows + row;
        sum += values[at] * x[columns[at] & (rows - 1)];
    }
    y[row] = sum;
}
