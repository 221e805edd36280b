// Products of many pairs of 16 x 16 matrices: a block a product, a thread an element, from global memory.
__global__ void multiply(const float *a, const float *b, float *c)
{
    int base = blockIdx.x * 256, row = threadIdx.x / 16, column = threadIdx.x % 16;
    float sum = 0.0f;
    for (int k = 0; k < 16; k++)
        sum += a[base + row * 16 + k] * b[base + k * 16 + column];
    c[base + threadIdx.x] = sum;
}
