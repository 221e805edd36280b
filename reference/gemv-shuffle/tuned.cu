// A warp loads 32 elements of x, one a lane, and hands them round with shuffles. The pieces are
// split among the warps of a block, so that enough loads are in flight to fill the memory's pipes.
// A lane takes two neighbouring rows with an 8-byte load where the columns allow it; shared memory
// joins the warps' partial sums.
#define WARPS 16
#define ROWS  64 // of a block
#define LOADS 8  // columns in flight a warp

__global__ void __launch_bounds__(32 * WARPS)
    gemv(const float *__restrict__ A, const float *__restrict__ x, float *__restrict__ y, int rows,
         int cols)
{
    __shared__ __align__(8) float part[WARPS][ROWS];
    int lane = threadIdx.x, warp = threadIdx.y, own = warp * 32 + lane;
    bool pairs = rows % 2 == 0;
    int row = blockIdx.x * ROWS + (pairs ? 2 * lane : lane); // and the next one, or 32 further
    int chunk = cols < 32 * WARPS ? LOADS : 32;              // short rows: all warps get something
    float2 sum = make_float2(0, 0);
    for (int first = warp * chunk; first < cols; first += WARPS * chunk) {
        int count = min(chunk, cols - first);
        float mine = lane < count ? x[first + lane] : 0;
        for (int start = 0; start < count; start += LOADS) {
            const float *column = A + (size_t)(first + start) * rows + row;
            float2 a[LOADS];
#pragma unroll
            for (int i = 0; i < LOADS; i++, column += rows) {
                a[i] = make_float2(0, 0);
                if (start + i < count && row < rows && pairs)
                    a[i] = __ldg(reinterpret_cast<const float2 *>(column));
                else if (start + i < count && row < rows)
                    a[i] = make_float2(column[0], row + 32 < rows ? column[32] : 0);
            }
#pragma unroll
            for (int i = 0; i < LOADS; i++) {
                float factor = __shfl_sync(0xffffffff, mine, start + i);
                sum.x += a[i].x * factor;
                sum.y += a[i].y * factor;
            }
        }
    }
    if (pairs)
        *reinterpret_cast<float2 *>(&part[warp][2 * lane]) = sum;
    else
        part[warp][lane] = sum.x, part[warp][lane + 32] = sum.y;
    __syncthreads();
    if (own < ROWS && blockIdx.x * ROWS + own < rows) {
        float total = 0;
        for (int i = 0; i < WARPS; i++)
            total += part[i][own];
        y[blockIdx.x * ROWS + own] = total;
    }
}
