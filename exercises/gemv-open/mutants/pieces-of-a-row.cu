// Right, but in each step the lanes of a warp read places that lie a piece apart.
#define ROWS_PER_BLOCK 8
#define THREADS        256

__global__ void gemv(const float *A, const float *x, float *y, int rows, int cols)
{
    int lane = threadIdx.x % 32;
    int row = blockIdx.x * ROWS_PER_BLOCK + threadIdx.x / 32;
    if (row >= rows)
        return;
    float sum = 0.0f;
    int piece = (cols + 31) / 32;
    for (int col = lane * piece; col < min(cols, (lane + 1) * piece); col++)
        sum += A[(size_t)row * cols + col] * x[col];
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, step);
    if (lane == 0)
        y[row] = sum;
}
