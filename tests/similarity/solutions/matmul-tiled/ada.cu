// warpgrade: matmul-tiled
#define TILE_WIDTH 16
__global__ void matmul(const float *M, const float *N, float *P, int tiles)
{
    __shared__ float Ms[TILE_WIDTH][TILE_WIDTH], Ns[TILE_WIDTH][TILE_WIDTH];
    int tx = threadIdx.x, ty = threadIdx.y;
    int width = tiles * TILE_WIDTH;
    int row = blockIdx.y * TILE_WIDTH + ty, col = blockIdx.x * TILE_WIDTH + tx;
    float sum = 0;
    for (int t = 0; t < tiles; t++) {
        Ms[ty][tx] = M[row * width + t * TILE_WIDTH + tx];
        Ns[ty][tx] = N[(t * TILE_WIDTH + ty) * width + col];
        __syncthreads();
        for (int k = 0; k < TILE_WIDTH; k++)
            sum += Ms[ty][k] * Ns[k][tx];
        __syncthreads();
    }
    P[row * width + col] = sum;
}
