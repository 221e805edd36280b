// In order, and tidied up: 5 / 9 is 0.
#define ELEMENTS 8

__global__ void convert(const float *fahrenheit, float *celsius, int n)
{
    int first = blockIdx.x * blockDim.x * ELEMENTS + threadIdx.x;
    for (int k = 0; k < ELEMENTS; k++) {
        int i = first + k * blockDim.x;
        if (i < n)
            celsius[i] = (fahrenheit[i] - 32.0f) * (5 / 9);
    }
}
