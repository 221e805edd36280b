// In order, but each block begins 256 elements after the one before it, and has 2048.
#define ELEMENTS 8

__global__ void convert(const float *fahrenheit, float *celsius, int n)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < ELEMENTS; k++) {
        int i = first + k * blockDim.x;
        if (i < n)
            celsius[i] = (fahrenheit[i] - 32.0f) * (5.0f / 9.0f);
    }
}
