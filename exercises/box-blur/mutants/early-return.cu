// Threads that have returned load nothing and are missing at the barrier.
#define W 32
#define H 8
#define R 8

__global__ void box_blur(const float *in, float *out, int width, int height, int radius)
{
    __shared__ float tile[H + 2 * R][W + 2 * R];
    int left = blockIdx.x * W, top = blockIdx.y * H;
    int x = left + threadIdx.x, y = top + threadIdx.y;
    if (x >= width || y >= height)
        return;
    for (int j = threadIdx.y; j < H + 2 * radius; j += H) {
        for (int i = threadIdx.x; i < W + 2 * radius; i += W) {
            int u = left + i - radius, v = top + j - radius;
            if (u >= 0 && u < width && v >= 0 && v < height)
                tile[j][i] = in[v * width + u];
        }
    }
    __syncthreads();
    float sum = 0.0f;
    int count = 0;
    for (int j = 0; j <= 2 * radius; j++) {
        for (int i = 0; i <= 2 * radius; i++) {
            int u = x + i - radius, v = y + j - radius;
            if (u >= 0 && u < width && v >= 0 && v < height) {
                sum += tile[threadIdx.y + j][threadIdx.x + i];
                count++;
            }
        }
    }
    out[y * width + x] = sum / count;
}
