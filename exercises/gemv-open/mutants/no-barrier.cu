// A thread adds a sum that another may not have finished.
#define ROWS_PER_BLOCK 1
#define THREADS        256

__global__ void gemv(const float *A, const float *x, float *y, int rows, int cols)
{
    __shared__ float part[THREADS];
    int thread = threadIdx.x, row = blockIdx.x;
    float sum = 0.0f;
    for (int col = thread; col < cols; col += THREADS)
        sum += A[(size_t)row * cols + col] * x[col];
    part[thread] = sum;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (thread < half)
            part[thread] += part[thread + half];
    }
    if (thread == 0)
        y[row] = part[0];
}
