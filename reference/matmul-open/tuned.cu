// A block of 256 threads makes 128 x 128 results of large matrices and 64 x 64 of others, a
// thread 8 x 8 or 4 x 4 in registers: 64 multiplications from 16 numbers, which come from shared
// memory in four 16-byte loads. While the block works on one pair of tiles, the next pair is on its
// way from global memory to registers; it goes to the other half of shared memory, so that one
// barrier a step is enough.
#define TILE_ROWS 128
#define TILE_COLS 128
#define THREADS   256
#define LARGE     2048            // from this width on, if 4 divides it, there are enough large tiles
#define DEPTH     16              // of a pair of tiles
#define PITCH     (TILE_ROWS + 4) // spreads the transposed stores of M's tile over the banks

// Four neighbours of a row, zero outside of the matrix. With WIDE the width is a multiple of four:
// the four lie inside or outside together, on a 16-byte boundary.
template <bool WIDE>
__device__ float4 load4(const float *__restrict__ matrix, int row, int col, int width)
{
    const float *at = matrix + (size_t)row * width + col;
    if (WIDE)
        return row < width && col < width ? *reinterpret_cast<const float4 *>(at)
                                          : make_float4(0, 0, 0, 0);
    return make_float4(
        row < width && col < width ? at[0] : 0, row < width && col + 1 < width ? at[1] : 0,
        row < width && col + 2 < width ? at[2] : 0, row < width && col + 3 < width ? at[3] : 0);
}

template <bool WIDE>
__device__ void store4(float *__restrict__ matrix, int row, int col, int width, const float *values)
{
    float *at = matrix + (size_t)row * width + col;
    if (WIDE && row < width && col < width)
        *reinterpret_cast<float4 *>(at) = make_float4(values[0], values[1], values[2], values[3]);
#pragma unroll
    for (int i = 0; i < 4; i++)
        if (!WIDE && row < width && col + i < width)
            at[i] = values[i];
}

// Two pairs of tiles; M's are transposed, so that a column of M is a row in shared memory.
struct tiles {
    float m[2][DEPTH][PITCH];
    float n[2][DEPTH][TILE_COLS];
};

// PARTS * 4 rows and columns a thread: 4 neighbours, and 4 more 32 rows below and 16 columns
// further.
template <int PARTS, bool WIDE>
__device__ void multiply(const float *__restrict__ M, const float *__restrict__ N,
                         float *__restrict__ P, int width, tiles &tile)
{
    const int EDGE = 64 * PARTS, SUMS = 4 * PARTS, STEP = 16 / PARTS;
    const int UNROLL = WIDE ? DEPTH : 1; // the rare widths need not be compiled for long
    int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
    int firstRow = blockIdx.y * EDGE, firstCol = blockIdx.x * EDGE;
    int loadRowM = thread / 4, loadColM = thread % 4 * 4;                   // and 64 rows below
    int loadRowN = thread / (EDGE / 4), loadColN = thread % (EDGE / 4) * 4; // and STEP rows below
    int row = warp / 4 * (32 * PARTS) + lane / 4 * 4;
    int col = warp % 4 * (16 * PARTS) + lane % 4 * 4;
    float sum[SUMS][SUMS] = {};
    float4 nextM[PARTS], nextN[PARTS];

    auto fetch = [&](int k) {
#pragma unroll
        for (int i = 0; i < PARTS; i++) {
            nextM[i] = load4<WIDE>(M, firstRow + loadRowM + i * 64, k + loadColM, width);
            nextN[i] = load4<WIDE>(N, k + loadRowN + i * STEP, firstCol + loadColN, width);
        }
    };
    auto keep = [&](int half) {
#pragma unroll
        for (int i = 0; i < PARTS; i++) {
            tile.m[half][loadColM + 0][loadRowM + i * 64] = nextM[i].x;
            tile.m[half][loadColM + 1][loadRowM + i * 64] = nextM[i].y;
            tile.m[half][loadColM + 2][loadRowM + i * 64] = nextM[i].z;
            tile.m[half][loadColM + 3][loadRowM + i * 64] = nextM[i].w;
            *reinterpret_cast<float4 *>(&tile.n[half][loadRowN + i * STEP][loadColN]) = nextN[i];
        }
    };

    fetch(0);
    keep(0);
    __syncthreads();
    for (int k = 0, half = 0; k < width; k += DEPTH, half ^= 1) {
        bool more = k + DEPTH < width;
        if (more)
            fetch(k + DEPTH);
#pragma unroll UNROLL
        for (int i = 0; i < DEPTH; i++) {
            float m[SUMS], n[SUMS];
#pragma unroll
            for (int part = 0; part < PARTS; part++) {
                *reinterpret_cast<float4 *>(m + part * 4) =
                    *reinterpret_cast<const float4 *>(&tile.m[half][i][row + part * 32]);
                *reinterpret_cast<float4 *>(n + part * 4) =
                    *reinterpret_cast<const float4 *>(&tile.n[half][i][col + part * 16]);
            }
#pragma unroll
            for (int r = 0; r < SUMS; r++)
#pragma unroll
                for (int c = 0; c < SUMS; c++)
                    sum[r][c] += m[r] * n[c];
        }
        if (more)
            keep(half ^ 1);
        __syncthreads();
    }
#pragma unroll
    for (int r = 0; r < SUMS; r++)
#pragma unroll
        for (int part = 0; part < PARTS; part++)
            store4<WIDE>(P, firstRow + row + r / 4 * 32 + r % 4, firstCol + col + part * 16, width,
                         &sum[r][part * 4]);
}

__global__ void __launch_bounds__(THREADS, 2)
    matmul(const float *__restrict__ M, const float *__restrict__ N, float *__restrict__ P,
           int width)
{
    __shared__ __align__(16) tiles tile;
    if (width >= LARGE && width % 4 == 0) // the launch says the same
        multiply<2, true>(M, N, P, width, tile);
    else if (width % 4 == 0)
        multiply<1, true>(M, N, P, width, tile);
    else
        multiply<1, false>(M, N, P, width, tile);
}
