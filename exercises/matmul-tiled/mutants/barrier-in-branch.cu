// A barrier that only some of the threads reach is none.
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
        tileM[ty][tx] = M[row * width + t * TILE_WIDTH + tx];
        tileN[ty][tx] = N[(t * TILE_WIDTH + ty) * width + col];
        __syncthreads();
        for (int i = 0; i < TILE_WIDTH; i++)
            sum += tileM[ty][i] * tileN[i][tx];
        if (tx <= ty)
            __syncthreads();
    }
    P[row * width + col] = sum;
}
