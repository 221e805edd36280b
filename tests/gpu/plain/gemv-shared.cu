// warpgrade: gemv-shared
// A thread a row, the vector piece by piece in shared memory.
#define BLOCK_SIZE 256

__global__ void gemv(const float *A, const float *x, float *y, int rows, int cols)
{
    __shared__ float piece[BLOCK_SIZE];
    int row = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    float sum = 0.0f;
    for (int first = 0; first < cols; first += BLOCK_SIZE) {
        int count = min(BLOCK_SIZE, cols - first);
        if (threadIdx.x < count)
            piece[threadIdx.x] = x[first + threadIdx.x];
        __syncthreads();
        if (row < rows)
            for (int k = 0; k < count; k++)
                sum += A[(size_t)(first + k) * rows + row] * piece[k];
        __syncthreads();
    }
    if (row < rows)
        y[row] = sum;
}
