// A thread a row of a product, kept in registers: lanes are a row apart.
__global__ void multiply(const float *a, const float *b, float *c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, base = i / 16 * 256, row = i % 16;
    float sums[16] = {0.0f};
    for (int k = 0; k < 16; k++) {
        float left = a[base + row * 16 + k];
#pragma unroll
        for (int column = 0; column < 16; column++)
            sums[column] += left * b[base + k * 16 + column];
    }
#pragma unroll
    for (int column = 0; column < 16; column++)
        c[base + row * 16 + column] = sums[column];
}
