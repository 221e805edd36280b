// Every lane adds to y, which holds nothing yet.
__global__ void spmv(const int *row_offsets, const int *columns, const float *values,
                     const float *x, float *y, int rows, int width, int nonzeros)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    int lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    int end = row_offsets[row + 1];
    float sum = 0.0f;
    for (int k = row_offsets[row] + lane; k < end; k += 32)
        sum += values[k] * x[columns[k]];
    atomicAdd(&y[row], sum);
}
