// A thread reads what its neighbours may not have loaded yet.
#define BLOCK_SIZE 256

__global__ void gemv(const float *A, const float *x, float *y, int rows, int cols)
{
    __shared__ float part[BLOCK_SIZE];
    int row = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    float sum = 0.0f;
    for (int first = 0; first < cols; first += BLOCK_SIZE) {
        if (first + threadIdx.x < cols)
            part[threadIdx.x] = x[first + threadIdx.x];
        int count = min(BLOCK_SIZE, cols - first);
        if (row < rows)
            for (int i = 0; i < count; i++)
                sum += A[(size_t)(first + i) * rows + row] * part[i];
        __syncthreads();
    }
    if (row < rows)
        y[row] = sum;
}
