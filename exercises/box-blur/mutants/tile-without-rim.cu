// What other blocks load is outside of the tile, and not outside of the image.
#define W 32
#define H 8

__global__ void box_blur(const float *in, float *out, int width, int height, int radius)
{
    __shared__ float tile[H][W];
    int x = blockIdx.x * W + threadIdx.x, y = blockIdx.y * H + threadIdx.y;
    if (x < width && y < height)
        tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    __syncthreads();
    if (x >= width || y >= height)
        return;
    float sum = 0.0f;
    int count = 0;
    for (int j = (int)threadIdx.y - radius; j <= (int)threadIdx.y + radius; j++) {
        for (int i = (int)threadIdx.x - radius; i <= (int)threadIdx.x + radius; i++) {
            int u = x + i - (int)threadIdx.x, v = y + j - (int)threadIdx.y;
            if (i >= 0 && i < W && j >= 0 && j < H && u < width && v < height) {
                sum += tile[j][i];
                count++;
            }
        }
    }
    out[y * width + x] = sum / count;
}
