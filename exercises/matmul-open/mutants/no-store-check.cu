// They land in other rows or past the matrix.
// Each of 16 x 16 threads makes 4 x 4 results, which lie 16 rows and 16 columns apart.
#define TILE_ROWS 64
#define TILE_COLS 64
#define THREADS   256
#define DEPTH     16

__global__ void matmul(const float *M, const float *N, float *P, int width)
{
    __shared__ float tileM[DEPTH][TILE_ROWS + 1], tileN[DEPTH][TILE_COLS];
    int thread = threadIdx.x, tx = thread % 16, ty = thread / 16;
    int firstRow = blockIdx.y * TILE_ROWS, firstCol = blockIdx.x * TILE_COLS;
    float sum[4][4] = {};
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
            float m[4], n[4];
            for (int j = 0; j < 4; j++) {
                m[j] = tileM[i][ty + 16 * j];
                n[j] = tileN[i][tx + 16 * j];
            }
            for (int r = 0; r < 4; r++)
                for (int c = 0; c < 4; c++)
                    sum[r][c] += m[r] * n[c];
        }
        __syncthreads();
    }
    for (int r = 0; r < 4; r++)
        for (int c = 0; c < 4; c++) {
            int row = firstRow + ty + 16 * r, col = firstCol + tx + 16 * c;
            P[row * width + col] = sum[r][c];
        }
}
