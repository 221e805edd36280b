// warpgrade: spmv-csr
// A warp a row.
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
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, step);
    if (lane == 0)
        y[row] = sum;
}
