// As thread_a_row, but a warp a row, whose lanes add up by shuffles.
__global__ void multiply(const float *matrix, const float *x, float *y, int n)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= n)
        return;
    float sum = 0.0f;
    for (int column = lane; column <= row; column += 32)
        sum += matrix[(size_t)row * n + column] * x[column];
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, step);
    if (lane == 0)
        y[row] = sum;
}
