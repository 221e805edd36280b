// A block is COARSE_FACTOR tiles wide: the next one begins after all of them.
#define TILE_WIDTH    16
#define COARSE_FACTOR 4

__global__ void matmul(const float *M, const float *N, float *P, int width)
{
    __shared__ float tileM[TILE_WIDTH][TILE_WIDTH];
    __shared__ float tileN[TILE_WIDTH][TILE_WIDTH * COARSE_FACTOR];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE_WIDTH + ty;
    int first = blockIdx.x * TILE_WIDTH + tx;
    float sum[COARSE_FACTOR] = {0.0f};
    for (int k = 0; k < width; k += TILE_WIDTH) {
        tileM[ty][tx] = row < width && k + tx < width ? M[row * width + k + tx] : 0.0f;
        for (int c = 0; c < COARSE_FACTOR; c++) {
            int col = first + c * TILE_WIDTH;
            tileN[ty][tx + c * TILE_WIDTH] =
                k + ty < width && col < width ? N[(k + ty) * width + col] : 0.0f;
        }
        __syncthreads();
        for (int i = 0; i < TILE_WIDTH; i++) {
            float m = tileM[ty][i];
            for (int c = 0; c < COARSE_FACTOR; c++)
                sum[c] += m * tileN[i][tx + c * TILE_WIDTH];
        }
        __syncthreads();
    }
    for (int c = 0; c < COARSE_FACTOR; c++) {
        int col = first + c * TILE_WIDTH;
        if (row < width && col < width)
            P[row * width + col] = sum[c];
    }
}
