// As row_major, but a warp a row: a lane an entry, joined by shuffles.
__global__ void multiply(const unsigned *columns, const float *values, const float *x, float *y,
                         int rows)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    int at = row * 32 + lane;
    float sum = values[at] * x[columns[at] & (rows - 1)];
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, d);
    if (lane == 0)
        y[row] = sum;
}
