// Right: a thread a row, so that neighbouring lanes read elements a whole row apart.
__global__ void spmv(const int *row_offsets, const int *columns, const float *values,
                     const float *x, float *y, int rows, int width, int nonzeros)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int k = row_offsets[row]; k < row_offsets[row + 1]; k++)
        sum += values[k] * x[columns[k]];
    y[row] = sum;
}
