// Column-major, the whole vector in shared memory: each block loads it once.
extern __shared__ float vector[];

__global__ void gemv(const float *a, const float *x, float *y, int rows, int columns)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    for (int j = threadIdx.x; j < columns; j += blockDim.x)
        vector[j] = x[j];
    __syncthreads();
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int j = 0; j < columns; j++)
        sum += a[(size_t)j * rows + row] * vector[j];
    y[row] = sum;
}
