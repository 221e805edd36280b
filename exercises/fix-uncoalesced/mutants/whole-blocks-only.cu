// In order, but blocks that are not full do nothing.
#define ELEMENTS 8

__global__ void convert(const float *fahrenheit, float *celsius, int n)
{
    int first = blockIdx.x * blockDim.x * ELEMENTS + threadIdx.x;
    for (int k = 0; k < ELEMENTS; k++) {
        int i = first + k * blockDim.x;
        if ((blockIdx.x + 1) * blockDim.x * ELEMENTS <= n)
            celsius[i] = (fahrenheit[i] - 32.0f) * (5.0f / 9.0f);
    }
}
