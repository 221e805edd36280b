// warpgrade: fix-uncoalesced
// In each round neighbouring threads take neighbouring elements.
#define ELEMENTS 8

__global__ void convert(const float *fahrenheit, float *celsius, int n)
{
    int first = blockIdx.x * blockDim.x * ELEMENTS + threadIdx.x;
    for (int k = 0; k < ELEMENTS; k++) {
        int i = first + k * blockDim.x;
        if (i < n)
            celsius[i] = (fahrenheit[i] - 32.0f) * (5.0f / 9.0f);
    }
}
