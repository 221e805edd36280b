// The sum of a row is split among the warps of a block: with one thread a row there would not be
// enough loads in flight to fill the memory's pipes. A lane takes four neighbouring rows with a
// 16-byte load where the columns allow it; shared memory joins the warps' partial sums.
#define WARPS 16
#define LOADS 8 // columns in flight a warp

__global__ void __launch_bounds__(32 * WARPS)
    gemv(const float *__restrict__ A, const float *__restrict__ x, float *__restrict__ y, int rows,
         int cols)
{
    __shared__ float part[WARPS][128];
    int lane = threadIdx.x, warp = threadIdx.y;
    int first = blockIdx.x * 128;
    float sum[4] = {0, 0, 0, 0}; // of the rows first + 4 * lane + i, or first + lane + 32 * i
    bool wide = rows % 4 == 0;
    int row = first + 4 * lane;
    if (wide && row < rows) {
        const float *column = A + row;
        int col = warp;
        for (; col + (LOADS - 1) * WARPS < cols; col += LOADS * WARPS) {
            float4 a[LOADS];
#pragma unroll
            for (int i = 0; i < LOADS; i++)
                a[i] = __ldcs(reinterpret_cast<const float4 *>(
                    column + (size_t)(col + i * WARPS) * rows));
#pragma unroll
            for (int i = 0; i < LOADS; i++) {
                float factor = x[col + i * WARPS];
                sum[0] += a[i].x * factor;
                sum[1] += a[i].y * factor;
                sum[2] += a[i].z * factor;
                sum[3] += a[i].w * factor;
            }
        }
        for (; col < cols; col += WARPS) {
            float4 a = *reinterpret_cast<const float4 *>(column + (size_t)col * rows);
            sum[0] += a.x * x[col];
            sum[1] += a.y * x[col];
            sum[2] += a.z * x[col];
            sum[3] += a.w * x[col];
        }
    }
    if (!wide) {
        for (int col = warp; col < cols; col += WARPS)
#pragma unroll
            for (int i = 0; i < 4; i++)
                if (first + lane + 32 * i < rows)
                    sum[i] += A[(size_t)col * rows + first + lane + 32 * i] * x[col];
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
        part[warp][wide ? 4 * lane + i : lane + 32 * i] = sum[i];
    __syncthreads();
    int own = warp * 32 + lane;
    if (own < 128 && first + own < rows) {
        float total = 0;
        for (int i = 0; i < WARPS; i++)
            total += part[i][own];
        y[first + own] = total;
    }
}
