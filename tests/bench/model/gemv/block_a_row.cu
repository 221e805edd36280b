// A block a row, reduced in shared memory.
__global__ void gemv(const float *a, const float *x, float *y, int rows, int columns)
{
    __shared__ float s[256];
    int row = blockIdx.x;
    float sum = 0.0f;
    for (int j = threadIdx.x; j < columns; j += 256)
        sum += a[(long long)row * columns + j] * x[j];
    s[threadIdx.x] = sum;
    __syncthreads();
    for (int i = 128; i > 0; i /= 2) {
        if (threadIdx.x < i)
            s[threadIdx.x] += s[threadIdx.x + i];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        y[row] = s[0];
}
