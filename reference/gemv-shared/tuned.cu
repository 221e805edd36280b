// x comes into shared memory in pieces of 1024, and the sum of a row is split among the warps of a
// block, so that enough loads are in flight to fill the memory's pipes. A lane takes two
// neighbouring rows with an 8-byte load where the columns allow it; shared memory joins the warps'
// partial sums.
#define BLOCK_SIZE 512 // threads
#define WARPS      16
#define ROWS       64 // of a block
#define PIECE      1024

__global__ void __launch_bounds__(BLOCK_SIZE)
    gemv(const float *__restrict__ A, const float *__restrict__ x, float *__restrict__ y, int rows,
         int cols)
{
    __shared__ float piece[PIECE];
    __shared__ __align__(8) float part[WARPS][ROWS];
    int lane = threadIdx.x, warp = threadIdx.y, own = warp * 32 + lane;
    bool pairs = rows % 2 == 0;
    int row = blockIdx.x * ROWS + (pairs ? 2 * lane : lane); // and the next one, or 32 further
    float2 sum = make_float2(0, 0);
    for (int first = 0; first < cols; first += PIECE) {
        int count = min(PIECE, cols - first);
        for (int i = own; i < count; i += BLOCK_SIZE)
            piece[i] = x[first + i];
        __syncthreads();
        const float *column = A + (size_t)first * rows + row;
        if (pairs && row < rows) {
#pragma unroll 8
            for (int i = warp; i < count; i += WARPS) {
                float2 a = __ldg(reinterpret_cast<const float2 *>(column + (size_t)i * rows));
                sum.x += a.x * piece[i];
                sum.y += a.y * piece[i];
            }
        }
        if (!pairs)
            for (int i = warp; i < count; i += WARPS) {
                sum.x += row < rows ? column[(size_t)i * rows] * piece[i] : 0;
                sum.y += row + 32 < rows ? column[(size_t)i * rows + 32] * piece[i] : 0;
            }
        __syncthreads();
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
