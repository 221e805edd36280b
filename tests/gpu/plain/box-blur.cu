// warpgrade: box-blur
// A tile with its rim in shared memory; every window is added from there.
#define WIDTH      32
#define HEIGHT     8
#define MOST       8
#define TILE_WIDTH (WIDTH + 2 * MOST)

__global__ void box_blur(const float *in, float *out, int width, int height, int radius)
{
    __shared__ float tile[HEIGHT + 2 * MOST][TILE_WIDTH];
    int left = blockIdx.x * WIDTH - radius;
    int top = blockIdx.y * HEIGHT - radius;
    for (int j = threadIdx.y; j < HEIGHT + 2 * radius; j += HEIGHT)
        for (int i = threadIdx.x; i < WIDTH + 2 * radius; i += WIDTH) {
            int x = left + i;
            int y = top + j;
            bool exists = x >= 0 && x < width && y >= 0 && y < height;
            tile[j][i] = exists ? in[y * width + x] : 0.0f;
        }
    __syncthreads();
    int x = blockIdx.x * WIDTH + threadIdx.x;
    int y = blockIdx.y * HEIGHT + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float sum = 0.0f;
    for (int j = 0; j <= 2 * radius; j++)
        for (int i = 0; i <= 2 * radius; i++)
            sum += tile[threadIdx.y + j][threadIdx.x + i];
    int columns = min(x + radius, width - 1) - max(x - radius, 0) + 1;
    int rows = min(y + radius, height - 1) - max(y - radius, 0) + 1;
    out[y * width + x] = sum / (columns * rows);
}
