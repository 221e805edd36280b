// No shared memory and no barrier: each lane of a warp has a column of pixels in registers, twelve
// rows for eight results. Row by row, shuffles bring the four pixels to the right of the lane's
// own, and an element of the filter that comes from constant memory weights one of them. The
// columns that the last four lanes load serve the others only. A block's eight warps lie below one
// another.
#define WARPS   8
#define RESULTS 8
#define RADIUS  2
#define LENGTH  (2 * RADIUS + 1)
#define COLUMNS (32 - 2 * RADIUS)
#define ALL     0xffffffffu

__constant__ float FILTER[5][5] = {
    {0.25f, -0.50f, 1.00f, 0.75f, -1.25f},
    {1.50f, -2.00f, 3.00f, -0.25f, 0.50f},
    {-0.75f, 4.00f, 8.00f, -3.00f, 1.25f},
    {2.00f, 0.50f, -1.50f, 2.50f, -0.50f},
    {-1.00f, 1.75f, 0.25f, -2.50f, 0.75f},
};

__device__ static void load(float *v, const float *in, int width, int height, int x, int y)
{
#pragma unroll
    for (int j = 0; j < RESULTS + 2 * RADIUS; j++) {
        int row = y - RADIUS + j;
        bool there = x >= 0 && x < width && row >= 0 && row < height;
        v[j] = there ? in[row * width + x] : 0.0f;
    }
}

__device__ static void convolve_strip(const float *in, float *out, int width, int height, int x,
                                      int y)
{
    float v[RESULTS + 2 * RADIUS], sum[RESULTS] = {0.0f};
    load(v, in, width, height, x - RADIUS, y);
#pragma unroll
    for (int row = 0; row < RESULTS + 2 * RADIUS; row++) {
#pragma unroll
        for (int i = 0; i < LENGTH; i++) {
            float pixel = i == 0 ? v[row] : __shfl_down_sync(ALL, v[row], i);
#pragma unroll
            for (int k = 0; k < RESULTS; k++)
                if (row - k >= 0 && row - k < LENGTH)
                    sum[k] = fmaf(FILTER[row - k][i], pixel, sum[k]);
        }
    }
    bool mine = threadIdx.x % 32 < COLUMNS && x < width;
#pragma unroll
    for (int k = 0; k < RESULTS; k++)
        if (mine && y + k < height)
            out[(y + k) * width + x] = sum[k];
}

// The blocks share out the strips of COLUMNS columns and WARPS * RESULTS rows.
__global__ void __launch_bounds__(32 * WARPS)
    convolve(const float *__restrict__ in, float *__restrict__ out, int width, int height)
{
    int thread = threadIdx.y * blockDim.x + threadIdx.x;
    int across = (width + COLUMNS - 1) / COLUMNS;
    int down = (height + WARPS * RESULTS - 1) / (WARPS * RESULTS);
    for (int strip = blockIdx.y * gridDim.x + blockIdx.x; strip < across * down;
         strip += gridDim.x * gridDim.y)
        convolve_strip(in, out, width, height, strip % across * COLUMNS + thread % 32,
                       (strip / across * WARPS + thread / 32) * RESULTS);
}
