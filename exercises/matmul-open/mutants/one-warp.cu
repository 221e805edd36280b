// Right, but the sums do not fit into registers, and nothing works while the warp waits.
// Each of 16 x 16 threads makes 4 x 4 results, which lie 16 rows and 16 columns apart.
#define TILE_ROWS 64
#define TILE_COLS 64
#define THREADS   32
#define DEPTH     16

__global__ void matmul(const float *M, const float *N, float *P, int width)
{
    __shared__ float tileM[DEPTH][TILE_ROWS + 1], tileN[DEPTH][TILE_COLS];
    int thread = threadIdx.x, tx = thread % 16, ty = thread / 16;
    int firstRow = blockIdx.y * TILE_ROWS, firstCol = blockIdx.x * TILE_COLS;
    float sum[32][4] = {};
    for (int k = 0; k < width; k += DEPTH) {
        for (int i = thread; i < DEPTH * TILE_ROWS; i += THREADS) {
            int row = firstRow + i / DEPTH, col = k + i % DEPTH;
            tileM[i % DEPTH][i / DEPTH] = row < width && col < width ? M[row * width + col] : 0.0f;
        }
        for (int i = thread; i < DEPTH * TILE_COLS; i += THREADS) {
            int row = k + i / TILE_COLS, col = firstCol + i % TILE_COLS;
            tileN[i / TILE_COLS][i % TILE_COLS] =
                row < width && col < width ? N[row * width + col] : 0.0f;
        }
        __syncthreads();
        for (int i = 0; i < DEPTH; i++) {
            float m[32], n[4];
            for (int j = 0; j < 32; j++)
                m[j] = tileM[i][ty + 2 * j];
            for (int j = 0; j < 4; j++)
                n[j] = tileN[i][tx + 16 * j];
            for (int r = 0; r < 32; r++)
                for (int c = 0; c < 4; c++)
                    sum[r][c] += m[r] * n[c];
        }
        __syncthreads();
    }
    for (int r = 0; r < 32; r++)
        for (int c = 0; c < 4; c++) {
            int row = firstRow + ty + 2 * r, col = firstCol + tx + 16 * c;
            if (row < width && col < width)
                P[row * width + col] = sum[r][c];
        }
}
