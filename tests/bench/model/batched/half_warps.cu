// A half-warp a product: a lane has a column of the right matrix in registers, the left one's elements
// are the same for all lanes.
__global__ void multiply(const float *a, const float *b, float *c)
{
    int product = (blockIdx.x * blockDim.x + threadIdx.x) / 16, column = threadIdx.x % 16;
    int base = product * 256;
    float right[16];
#pragma unroll
    for (int k = 0; k < 16; k++)
        right[k] = b[base + k * 16 + column];
#pragma unroll
    for (int row = 0; row < 16; row++) {
        float sum = 0.0f;
#pragma unroll
        for (int k = 0; k < 16; k++)
            sum += a[base + row * 16 + k] * right[k];
        c[base + row * 16 + column] = sum;
    }
}
