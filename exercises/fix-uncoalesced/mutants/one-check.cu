// One comparison for all eight elements of a thread.
#define ELEMENTS 8

__global__ void convert(const float *fahrenheit, float *celsius, int n)
{
    int first = blockIdx.x * blockDim.x * ELEMENTS + threadIdx.x;
    if (first >= n)
        return;
    for (int k = 0; k < ELEMENTS; k++) {
        int i = first + k * blockDim.x;
        celsius[i] = (fahrenheit[i] - 32.0f) * (5.0f / 9.0f);
    }
}
