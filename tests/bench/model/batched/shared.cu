// As global, but both matrices are copied to shared memory first.
__global__ void multiply(const float *a, const float *b, float *c)
{
    __shared__ float left[16][16], right[16][16];
    int base = blockIdx.x * 256, row = threadIdx.x / 16, column = threadIdx.x % 16;
    left[row][column] = a[base + threadIdx.x];
    right[row][column] = b[base + threadIdx.x];
    __syncthreads();
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < 16; k++)
        sum += left[row][k] * right[k][column];
    c[base + threadIdx.x] = sum;
}
