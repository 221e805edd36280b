// A row may be shorter than a warp is wide: the lanes past its end are named by the mask, too.
#define ROWS_PER_BLOCK 8
#define THREADS        256

__global__ void gemv(const float *A, const float *x, float *y, int rows, int cols)
{
    int lane = threadIdx.x % 32;
    int row = blockIdx.x * ROWS_PER_BLOCK + threadIdx.x / 32;
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int col = lane; col < cols; col += 32)
        sum += A[(size_t)row * cols + col] * x[col];
    if (lane >= cols)
        return;
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, step);
    if (lane == 0)
        y[row] = sum;
}
