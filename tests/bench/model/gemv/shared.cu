// A thread a row, the vector through shared memory a block's width at a time. Row-major.
__global__ void gemv(const float *a, const float *x, float *y, int rows, int columns)
{
    __shared__ float part[256];
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int first = 0; first < columns; first += 256) {
        __syncthreads();
        part[threadIdx.x] = first + threadIdx.x < columns ? x[first + threadIdx.x] : 0.0f;
        __syncthreads();
        if (row < rows)
            for (int j = 0; j < 256 && first + j < columns; j++)
                sum += a[row * columns + first + j] * part[j];
    }
    if (row < rows)
        y[row] = sum;
}
