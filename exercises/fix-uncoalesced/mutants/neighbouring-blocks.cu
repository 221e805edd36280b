// Right: neighbouring elements belong to neighbouring blocks, and those of a warp lie far apart.
#define ELEMENTS 8

__global__ void convert(const float *fahrenheit, float *celsius, int n)
{
    int first = threadIdx.x;
    for (int k = 0; k < ELEMENTS; k++) {
        int i = (first + k * blockDim.x) * gridDim.x + blockIdx.x;
        if (i < n)
            celsius[i] = (fahrenheit[i] - 32.0f) * (5.0f / 9.0f);
    }
}
