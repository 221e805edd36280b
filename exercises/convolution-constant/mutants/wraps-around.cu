// In memory the pixel after the last of a row is the first of the next.
__constant__ float FILTER[5][5] = {
    {0.25f, -0.50f, 1.00f, 0.75f, -1.25f},
    {1.50f, -2.00f, 3.00f, -0.25f, 0.50f},
    {-0.75f, 4.00f, 8.00f, -3.00f, 1.25f},
    {2.00f, 0.50f, -1.50f, 2.50f, -0.50f},
    {-1.00f, 1.75f, 0.25f, -2.50f, 0.75f},
};

__global__ void convolve(const float *in, float *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float sum = 0.0f;
    for (int j = 0; j < 5; j++) {
        for (int i = 0; i < 5; i++) {
            int u = x + i - 2, v = y + j - 2;
            if (v * width + u >= 0 && v * width + u < width * height)
                sum += FILTER[j][i] * in[v * width + u];
        }
    }
    out[y * width + x] = sum;
}
