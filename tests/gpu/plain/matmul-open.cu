// warpgrade: matmul-open
// 8 x 8 results a thread, 16-byte loads, a turned tile of M, and the next tiles on their way in
// registers while these are multiplied.
#define TILE_ROWS 128
#define TILE_COLS 128
#define THREADS   256
#define DEPTH     8
#define PITCH     (TILE_ROWS + 4)

__device__ float4 load4(const float *row, int column, int width, bool exists)
{
    float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (!exists || column >= width)
        return v;
    if (width % 4 == 0)
        return *reinterpret_cast<const float4 *>(row + column);
    v.x = row[column];
    if (column + 1 < width)
        v.y = row[column + 1];
    if (column + 2 < width)
        v.z = row[column + 2];
    if (column + 3 < width)
        v.w = row[column + 3];
    return v;
}

__global__ void __launch_bounds__(THREADS) matmul(const float *M, const float *N, float *P,
                                                  int width)
{
    __shared__ __align__(16) float m[2][DEPTH][PITCH];
    __shared__ __align__(16) float n[2][DEPTH][TILE_COLS];
    int t = threadIdx.x;
    int top = blockIdx.y * TILE_ROWS;
    int left = blockIdx.x * TILE_COLS;
    int m_row = t / 2, m_column = t % 2 * 4;
    int n_row = t / 32, n_column = t % 32 * 4;
    int y = t / 16 * 4;
    int x = t % 16 * 4;
    const float *from_m = M + (size_t)(top + m_row) * width;
    bool row_exists = top + m_row < width;
    float sums[8][8] = {{0.0f}};

    float4 next_m = load4(from_m, m_column, width, row_exists);
    float4 next_n = load4(N + (size_t)n_row * width, left + n_column, width, n_row < width);
    int buffer = 0;
    for (int k = 0; k < width; k += DEPTH, buffer ^= 1) {
        m[buffer][m_column][m_row] = next_m.x;
        m[buffer][m_column + 1][m_row] = next_m.y;
        m[buffer][m_column + 2][m_row] = next_m.z;
        m[buffer][m_column + 3][m_row] = next_m.w;
        *reinterpret_cast<float4 *>(&n[buffer][n_row][n_column]) = next_n;
        __syncthreads();
        int next = k + DEPTH;
        if (next < width) {
            next_m = load4(from_m, next + m_column, width, row_exists);
            next_n = load4(N + (size_t)(next + n_row) * width, left + n_column, width,
                           next + n_row < width);
        }
#pragma unroll
        for (int d = 0; d < DEPTH; d++) {
            float a[8], b[8];
            for (int h = 0; h < 2; h++) {
                float4 v = *reinterpret_cast<float4 *>(&m[buffer][d][y + h * 64]);
                a[4 * h] = v.x, a[4 * h + 1] = v.y, a[4 * h + 2] = v.z, a[4 * h + 3] = v.w;
                float4 u = *reinterpret_cast<float4 *>(&n[buffer][d][x + h * 64]);
                b[4 * h] = u.x, b[4 * h + 1] = u.y, b[4 * h + 2] = u.z, b[4 * h + 3] = u.w;
            }
            for (int i = 0; i < 8; i++)
                for (int j = 0; j < 8; j++)
                    sums[i][j] += a[i] * b[j];
        }
    }
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) {
            int row = top + y + i / 4 * 64 + i % 4;
            int column = left + x + j / 4 * 64 + j % 4;
            if (row < width && column < width)
                P[(size_t)row * width + column] = sums[i][j];
        }
}
