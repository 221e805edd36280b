// The tile of M must move to the right, the tile of N down.
#define TILE_WIDTH 16

__global__ void matmul(const float *M, const float *N, float *P, int tiles)
{
    __shared__ float tileM[TILE_WIDTH][TILE_WIDTH];
    __shared__ float tileN[TILE_WIDTH][TILE_WIDTH];
    int width = tiles * TILE_WIDTH;
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE_WIDTH + ty;
    int col = blockIdx.x * TILE_WIDTH + tx;
    float sum = 0.0f;
    for (int t = 0; t < tiles; t++) {
        tileM[ty][tx] = M[(t * TILE_WIDTH + ty) * width + col];
        tileN[ty][tx] = N[(t * TILE_WIDTH + ty) * width + col];
        __syncthreads();
        for (int i = 0; i < TILE_WIDTH; i++)
            sum += tileM[ty][i] * tileN[i][tx];
        __syncthreads();
    }
    P[row * width + col] = sum;
}
