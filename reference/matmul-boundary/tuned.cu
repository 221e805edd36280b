// A tile of 32 x 32 results for a block of 32 x 8 threads: each thread keeps four sums in registers,
// so that one element of the tile of N serves four multiplications.
#define TILE_WIDTH 32
#define ROWS       8
#define SUMS       (TILE_WIDTH / ROWS)

__global__ void matmul(const float *__restrict__ M, const float *__restrict__ N,
                       float *__restrict__ P, int width)
{
    __shared__ float tileM[TILE_WIDTH][TILE_WIDTH];
    __shared__ float tileN[TILE_WIDTH][TILE_WIDTH];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE_WIDTH + ty;
    int col = blockIdx.x * TILE_WIDTH + tx;
    float sum[SUMS] = {0.0f};
    for (int k = 0; k < width; k += TILE_WIDTH) {
        for (int j = 0; j < SUMS; j++) {
            int r = row + j * ROWS, s = k + ty + j * ROWS;
            tileM[ty + j * ROWS][tx] = r < width && k + tx < width ? M[r * width + k + tx] : 0.0f;
            tileN[ty + j * ROWS][tx] = s < width && col < width ? N[s * width + col] : 0.0f;
        }
        __syncthreads();
        for (int i = 0; i < TILE_WIDTH; i++) {
            float n = tileN[i][tx];
            for (int j = 0; j < SUMS; j++)
                sum[j] += tileM[ty + j * ROWS][i] * n;
        }
        __syncthreads();
    }
    for (int j = 0; j < SUMS; j++)
        if (row + j * ROWS < width && col < width)
            P[(row + j * ROWS) * width + col] = sum[j];
}
