// warpgrade: convolution-constant
// A tile with its rim in shared memory, zeros included.
__constant__ float FILTER[5][5] = {
    {0.25f, -0.50f, 1.00f, 0.75f, -1.25f},
    {1.50f, -2.00f, 3.00f, -0.25f, 0.50f},
    {-0.75f, 4.00f, 8.00f, -3.00f, 1.25f},
    {2.00f, 0.50f, -1.50f, 2.50f, -0.50f},
    {-1.00f, 1.75f, 0.25f, -2.50f, 0.75f},
};

__global__ void convolve(const float *in, float *out, int width, int height)
{
    __shared__ float tile[12][36];
    for (int j = threadIdx.y; j < 12; j += 8)
        for (int i = threadIdx.x; i < 36; i += 32) {
            int x = blockIdx.x * 32 + i - 2;
            int y = blockIdx.y * 8 + j - 2;
            bool exists = x >= 0 && x < width && y >= 0 && y < height;
            tile[j][i] = exists ? in[y * width + x] : 0.0f;
        }
    __syncthreads();
    int x = blockIdx.x * 32 + threadIdx.x;
    int y = blockIdx.y * 8 + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float sum = 0.0f;
    for (int j = 0; j < 5; j++)
        for (int i = 0; i < 5; i++)
            sum += FILTER[j][i] * tile[threadIdx.y + j][threadIdx.x + i];
    out[y * width + x] = sum;
}
