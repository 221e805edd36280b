// Right, but 1536 rows make six blocks only, and a device has many more multiprocessors than
// that.
#define ROWS_PER_BLOCK 256
#define THREADS        256

__global__ void gemv(const float *A, const float *x, float *y, int rows, int cols)
{
    int lane = threadIdx.x % 32;
    int last = min(rows, (int)(blockIdx.x + 1) * ROWS_PER_BLOCK);
    for (int row = blockIdx.x * ROWS_PER_BLOCK + threadIdx.x / 32; row < last;
         row += THREADS / 32) {
        float sum = 0.0f;
        for (int col = lane; col < cols; col += 32)
            sum += A[(size_t)row * cols + col] * x[col];
        for (int step = 16; step > 0; step /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, step);
        if (lane == 0)
            y[row] = sum;
    }
}
