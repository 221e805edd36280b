// Each lane reads 8 elements from anywhere. n is a power of two.
__global__ void load(const float *in, float *out, int n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned state = i * 2654435761u + 12345u;
    float sum = 0.0f;
#pragma unroll
    for (int j = 0; j < 8; j++) {
        state = state * 1664525u + 1013904223u;
        sum += in[(state ^ state >> 15) & (n - 1)];
    }
    out[i] = sum;
}
