// 32 x 32 results a block of 32 x 8 threads, from a tile in shared memory that the block loads
// once, with zeros outside of the image. A thread has four results below one another: the eight
// rows that they need pass through its registers once, so that 40 reads of the tile serve 100
// products, and an element of the filter that comes from constant memory serves four.
#define TILE    32
#define ROWS    8
#define RADIUS  2
#define RESULTS (TILE / ROWS)
#define SPAN    (TILE + 2 * RADIUS)

__constant__ float FILTER[5][5] = {
    {0.25f, -0.50f, 1.00f, 0.75f, -1.25f},
    {1.50f, -2.00f, 3.00f, -0.25f, 0.50f},
    {-0.75f, 4.00f, 8.00f, -3.00f, 1.25f},
    {2.00f, 0.50f, -1.50f, 2.50f, -0.50f},
    {-1.00f, 1.75f, 0.25f, -2.50f, 0.75f},
};

__global__ void __launch_bounds__(TILE *ROWS)
    convolve(const float *__restrict__ in, float *__restrict__ out, int width, int height)
{
    __shared__ float tile[SPAN][SPAN];
    int left = blockIdx.x * TILE - RADIUS, top = blockIdx.y * TILE - RADIUS;
    for (int j = threadIdx.y; j < SPAN; j += ROWS) {
        for (int i = threadIdx.x; i < SPAN; i += TILE) {
            bool there = (unsigned)(left + i) < width && (unsigned)(top + j) < height;
            tile[j][i] = there ? in[(top + j) * width + left + i] : 0.0f;
        }
    }
    __syncthreads();
    int tx = threadIdx.x, ty = threadIdx.y * RESULTS;
    float sum[RESULTS] = {0.0f};
#pragma unroll
    for (int row = 0; row < RESULTS + 2 * RADIUS; row++) {
        float pixels[2 * RADIUS + 1];
#pragma unroll
        for (int i = 0; i <= 2 * RADIUS; i++)
            pixels[i] = tile[ty + row][tx + i];
#pragma unroll
        for (int k = 0; k < RESULTS; k++) {
            int j = row - k;
            if (j >= 0 && j <= 2 * RADIUS)
#pragma unroll
                for (int i = 0; i <= 2 * RADIUS; i++)
                    sum[k] = fmaf(FILTER[j][i], pixels[i], sum[k]);
        }
    }
    int x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;
    for (int k = 0; k < RESULTS; k++)
        if (x < width && y + k < height)
            out[(y + k) * width + x] = sum[k];
}
