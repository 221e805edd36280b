// The vector is read from constant memory, a word for a whole warp. The sum of a row is split among
// the warps of a block, so that enough loads are in flight to fill the memory's pipes; a lane takes
// two neighbouring rows with an 8-byte load where the columns allow it; shared memory joins the
// sums.
#define WARPS 16
#define ROWS  64 // of a block
#define LOADS 8  // columns in flight a warp

__constant__ float x[16384];

__global__ void __launch_bounds__(32 * WARPS)
    gemv(const float *__restrict__ A, float *__restrict__ y, int rows, int cols)
{
    __shared__ __align__(8) float part[WARPS][ROWS];
    int lane = threadIdx.x, warp = threadIdx.y;
    int first = blockIdx.x * ROWS;
    bool pairs = rows % 2 == 0;
    float2 sum = make_float2(0, 0); // of two neighbours, or of rows 32 apart
    if (pairs && first + 2 * lane < rows) {
        const float *column = A + first + 2 * lane;
        int col = warp;
        for (; col + (LOADS - 1) * WARPS < cols; col += LOADS * WARPS) {
            float2 a[LOADS];
#pragma unroll
            for (int i = 0; i < LOADS; i++)
                a[i] = __ldg(
                    reinterpret_cast<const float2 *>(column + (size_t)(col + i * WARPS) * rows));
#pragma unroll
            for (int i = 0; i < LOADS; i++) {
                float factor = x[col + i * WARPS];
                sum.x += a[i].x * factor;
                sum.y += a[i].y * factor;
            }
        }
        for (; col < cols; col += WARPS) {
            float2 a = *reinterpret_cast<const float2 *>(column + (size_t)col * rows);
            sum.x += a.x * x[col];
            sum.y += a.y * x[col];
        }
    }
    if (!pairs)
        for (int col = warp; col < cols; col += WARPS) {
            const float *at = A + (size_t)col * rows + first + lane;
            sum.x += first + lane < rows ? at[0] * x[col] : 0;
            sum.y += first + lane + 32 < rows ? at[32] * x[col] : 0;
        }
    if (pairs)
        *reinterpret_cast<float2 *>(&part[warp][2 * lane]) = sum;
    else
        part[warp][lane] = sum.x, part[warp][lane + 32] = sum.y;
    __syncthreads();
    int own = warp * 32 + lane;
    if (own < ROWS && first + own < rows) {
        float total = 0;
        for (int i = 0; i < WARPS; i++)
            total += part[i][own];
        y[first + own] = total;
    }
}
