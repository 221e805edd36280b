// Four ifs for four sides; the corners belong to none of them.
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
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * 32 + tx, y = blockIdx.y * 8 + ty;
    auto pixel = [&](int v, int u) {
        return u >= 0 && u < width && v >= 0 && v < height ? in[v * width + u] : 0.0f;
    };
    tile[ty + 2][tx + 2] = pixel(y, x);
    if (tx < 2)
        tile[ty + 2][tx] = pixel(y, x - 2);
    if (tx >= 30)
        tile[ty + 2][tx + 4] = pixel(y, x + 2);
    if (ty < 2)
        tile[ty][tx + 2] = pixel(y - 2, x);
    if (ty >= 6)
        tile[ty + 4][tx + 2] = pixel(y + 2, x);
    __syncthreads();
    if (x >= width || y >= height)
        return;
    float sum = 0.0f;
    for (int j = 0; j < 5; j++)
        for (int i = 0; i < 5; i++)
            sum += FILTER[j][i] * tile[ty + j][tx + i];
    out[y * width + x] = sum;
}
