// Right, but thread 0 takes the columns 0 to 3, thread 1 those from 4 to 7: one bank for four
// threads, four sectors where one is enough.
#define TILE_WIDTH    16
#define COARSE_FACTOR 4

__global__ void matmul(const float *M, const float *N, float *P, int width)
{
    __shared__ float tileM[TILE_WIDTH][TILE_WIDTH];
    __shared__ float tileN[TILE_WIDTH][TILE_WIDTH * COARSE_FACTOR];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE_WIDTH + ty;
    int first = blockIdx.x * TILE_WIDTH * COARSE_FACTOR + tx * COARSE_FACTOR;
    float sum[COARSE_FACTOR] = {0.0f};
    for (int k = 0; k < width; k += TILE_WIDTH) {
        tileM[ty][tx] = row < width && k + tx < width ? M[row * width + k + tx] : 0.0f;
        for (int c = 0; c < COARSE_FACTOR; c++) {
            int col = first + c;
            tileN[ty][tx * COARSE_FACTOR + c] =
                k + ty < width && col < width ? N[(k + ty) * width + col] : 0.0f;
        }
        __syncthreads();
        for (int i = 0; i < TILE_WIDTH; i++) {
            float m = tileM[ty][i];
            for (int c = 0; c < COARSE_FACTOR; c++)
                sum[c] += m * tileN[i][tx * COARSE_FACTOR + c];
        }
        __syncthreads();
    }
    for (int c = 0; c < COARSE_FACTOR; c++) {
        int col = first + c;
        if (row < width && col < width)
            P[row * width + col] = sum[c];
    }
}
