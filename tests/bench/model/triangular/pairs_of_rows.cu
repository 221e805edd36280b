// As warp_a_row, but a warp takes a short row and the long one that makes up for it, so that all warps
// have as much to do.
__device__ float multiply_row(const float *row, const float *x, int length)
{
    float sum = 0.0f;
    for (int column = threadIdx.x % 32; column < length; column += 32)
        sum += row[column] * x[column];
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, step);
    return sum;
}

__global__ void multiply(const float *matrix, const float *x, float *y, int n)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= n / 2)
        return;
    int other = n - 1 - row;
    float shorter = multiply_row(matrix + (size_t)row * n, x, row + 1);
    float longer = multiply_row(matrix + (size_t)other * n, x, other + 1);
    if (lane == 0) {
        y[row] = shorter;
        y[other] = longer;
    }
}
