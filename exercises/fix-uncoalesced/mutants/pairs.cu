// Right: neighbouring threads are two elements apart, so that half of each sector waits for the next round.
#define ELEMENTS 8

__global__ void convert(const float *fahrenheit, float *celsius, int n)
{
    int first = blockIdx.x * blockDim.x * ELEMENTS + 2 * threadIdx.x;
    for (int k = 0; k < ELEMENTS; k++) {
        int i = first + k / 2 * 2 * blockDim.x + k % 2;
        if (i < n)
            celsius[i] = (fahrenheit[i] - 32.0f) * (5.0f / 9.0f);
    }
}
