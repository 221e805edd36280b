// 32 x 32 results a block of 32 x 8 threads. The block loads its pixels with their rim once, with
// zeros for what does not exist, then sums 2 * radius + 1 neighbours along the rows, and these sums
// along the columns: 2 * (2 * radius + 1) additions a pixel in place of their square.
#define TILE       32
#define ROWS       8
#define RESULTS    (TILE / ROWS)
#define MAX_RADIUS 8
#define SPAN       (TILE + 2 * MAX_RADIUS)

__global__ void box_blur(const float *__restrict__ in, float *__restrict__ out, int width,
                         int height, int radius)
{
    __shared__ float pixels[SPAN][SPAN];
    __shared__ float sums[SPAN][TILE];
    int left = blockIdx.x * TILE - radius, top = blockIdx.y * TILE - radius;
    int span = TILE + 2 * radius;
    for (int j = threadIdx.y; j < span; j += ROWS) {
        for (int i = threadIdx.x; i < span; i += TILE) {
            bool there = (unsigned)(left + i) < width && (unsigned)(top + j) < height;
            pixels[j][i] = there ? in[(top + j) * width + left + i] : 0.0f;
        }
    }
    __syncthreads();
    for (int j = threadIdx.y; j < span; j += ROWS) {
        float sum = 0.0f;
        for (int i = 0; i <= 2 * radius; i++)
            sum += pixels[j][threadIdx.x + i];
        sums[j][threadIdx.x] = sum;
    }
    __syncthreads();
    int x = blockIdx.x * TILE + threadIdx.x;
    if (x >= width)
        return;
    int columns = min(x + radius, width - 1) - max(x - radius, 0) + 1;
    for (int k = 0; k < RESULTS; k++) {
        int j = threadIdx.y + k * ROWS;
        int y = blockIdx.y * TILE + j;
        if (y >= height)
            return;
        float sum = 0.0f;
        for (int i = 0; i <= 2 * radius; i++)
            sum += sums[j + i][threadIdx.x];
        int rows = min(y + radius, height - 1) - max(y - radius, 0) + 1;
        out[y * width + x] = sum / (rows * columns);
    }
}
