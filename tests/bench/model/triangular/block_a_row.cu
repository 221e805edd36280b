// As thread_a_row, but a block of 256 a row, which adds up in shared memory.
__global__ void multiply(const float *matrix, const float *x, float *y, int n)
{
    __shared__ float sums[256];
    int row = blockIdx.x;
    float sum = 0.0f;
    for (int column = threadIdx.x; column <= row; column += blockDim.x)
        sum += matrix[(size_t)row * n + column] * x[column];
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            sums[threadIdx.x] += sums[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        y[row] = sums[0];
}
