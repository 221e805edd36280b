// A 3 x 3 box blur of bytes through a tile with its border.
__global__ void blur(const unsigned char *in, unsigned char *out, int width, int height)
{
    __shared__ unsigned char tile[10][34];
    int x0 = blockIdx.x * 32 - 1, y0 = blockIdx.y * 8 - 1;
    for (int t = threadIdx.y * 32 + threadIdx.x; t < 340; t += 256) {
        int x = x0 + t % 34, y = y0 + t / 34;
        tile[t / 34][t % 34] = x >= 0 && x < width && y >= 0 && y < height ? in[y * width + x] : 0;
    }
    __syncthreads();
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int sum = 0;
    for (int v = 0; v < 3; v++)
        for (int u = 0; u < 3; u++)
            sum += tile[threadIdx.y + v][threadIdx.x + u];
    int columns = 1 + (x > 0) + (x < width - 1), rows = 1 + (y > 0) + (y < height - 1);
    out[y * width + x] = (unsigned char)(sum / (columns * rows));
}
