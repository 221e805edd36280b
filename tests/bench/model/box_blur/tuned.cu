// As it was when it was measured: box-blur's tuned kernel has had templates for small radii only since.
// No shared memory and no barrier: each lane of a warp has a column of pixels in registers. It sums
// the windows of eight rows in its column, and shuffles add up the columns of the window, so that
// the first 32 - 2 * radius lanes have eight results each. Both sums of 2 * radius + 1 terms are
// made of sums of 1, 2, 4 ... terms, as many additions as their number has binary digits, or twice
// that. The radius is a template parameter, so that all of this is unrolled. A block's eight warps
// lie below each other.
#define WARPS      8
#define RESULTS    8
#define MAX_RADIUS 8
#define ALL        0xffffffffu

template <int RADIUS>
__device__ static void load(float *v, const float *in, int width, int height, int x, int y)
{
#pragma unroll
    for (int j = 0; j < RESULTS + 2 * RADIUS; j++) {
        int row = y - RADIUS + j;
        bool there = x >= 0 && x < width && row >= 0 && row < height;
        v[j] = there ? in[row * width + x] : 0.0f;
    }
}

// sums[k] = v[k] + ... + v[k + 2 * RADIUS]. v[j] becomes the sum of more and more values from j on.
template <int RADIUS> __device__ static void sum_down(float *sums, float *v)
{
    const int length = 2 * RADIUS + 1, count = RESULTS + 2 * RADIUS;
    int done = 0;
#pragma unroll
    for (int part = 1; part <= length; part *= 2) {
        if (length & part) {
#pragma unroll
            for (int k = 0; k < RESULTS; k++)
                sums[k] = part == 1 ? v[k] : sums[k] + v[k + done];
            done += part;
        }
#pragma unroll
        for (int j = 0; j + part < count; j++)
            v[j] += v[j + part];
    }
}

// The same across the lanes: this lane's and those of the next 2 * RADIUS.
template <int RADIUS> __device__ static float sum_across(float part_sum)
{
    const int length = 2 * RADIUS + 1;
    float sum = part_sum;
    int done = 1;
#pragma unroll
    for (int part = 2; part <= length; part *= 2) {
        part_sum += __shfl_down_sync(ALL, part_sum, part / 2);
        if (length & part) {
            sum += __shfl_down_sync(ALL, part_sum, done);
            done += part;
        }
    }
    return sum;
}

template <int RADIUS>
__device__ static void blur_strip(const float *in, float *out, int width, int height, int x, int y)
{
    float v[RESULTS + 2 * RADIUS], sums[RESULTS];
    load<RADIUS>(v, in, width, height, x - RADIUS, y);
    sum_down<RADIUS>(sums, v);
    int columns = min(x + RADIUS, width - 1) - max(x - RADIUS, 0) + 1;
    bool mine = threadIdx.x % 32 < 32 - 2 * RADIUS && x < width;
#pragma unroll
    for (int k = 0; k < RESULTS; k++) {
        float sum = sum_across<RADIUS>(sums[k]);
        int row = y + k;
        int rows = min(row + RADIUS, height - 1) - max(row - RADIUS, 0) + 1;
        if (mine && row < height)
            out[row * width + x] = __fdividef(sum, (float)(rows * columns));
    }
}

// The blocks share out the strips of 32 - 2 * RADIUS columns and WARPS * RESULTS rows.
template <int RADIUS>
__device__ static void blur(const float *in, float *out, int width, int height)
{
    const int columns = 32 - 2 * RADIUS, rows = WARPS * RESULTS;
    int thread = threadIdx.y * blockDim.x + threadIdx.x;
    int across = (width + columns - 1) / columns, down = (height + rows - 1) / rows;
    for (int strip = blockIdx.y * gridDim.x + blockIdx.x; strip < across * down;
         strip += gridDim.x * gridDim.y)
        blur_strip<RADIUS>(in, out, width, height, strip % across * columns + thread % 32,
                           strip / across * rows + thread / 32 * RESULTS);
}

__global__ void __launch_bounds__(32 * WARPS)
    box_blur(const float *__restrict__ in, float *__restrict__ out, int width, int height,
             int radius)
{
    switch (radius) {
    case 0:
        return blur<0>(in, out, width, height);
    case 1:
        return blur<1>(in, out, width, height);
    case 2:
        return blur<2>(in, out, width, height);
    case 3:
        return blur<3>(in, out, width, height);
    case 4:
        return blur<4>(in, out, width, height);
    case 5:
        return blur<5>(in, out, width, height);
    case 6:
        return blur<6>(in, out, width, height);
    case 7:
        return blur<7>(in, out, width, height);
    case MAX_RADIUS:
        return blur<MAX_RADIUS>(in, out, width, height);
    }
}
