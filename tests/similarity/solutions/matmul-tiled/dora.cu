// warpgrade: matmul-tiled
#define TILE_WIDTH 16
__global__ void matmul(const float *M, const float *N, float *P, int tiles)
{
    // the left tile is kept the other way round, and padded
    __shared__ float left[TILE_WIDTH][TILE_WIDTH + 1];
    __shared__ float right[TILE_WIDTH][TILE_WIDTH];
    size_t n = (size_t)tiles * TILE_WIDTH;
    size_t y = blockIdx.y * blockDim.y + threadIdx.y;
    size_t x = blockIdx.x * blockDim.x + threadIdx.x;
    double total = 0;
    size_t k0 = 0;
    while (k0 < n) {
        left[threadIdx.x][threadIdx.y] = M[y * n + k0 + threadIdx.x];
        right[threadIdx.y][threadIdx.x] = N[(k0 + threadIdx.y) * n + x];
        __syncthreads();
        for (int i = TILE_WIDTH - 1; i >= 0; --i)
            total += (double)left[i][threadIdx.y] * right[i][threadIdx.x];
        __syncthreads();
        k0 += TILE_WIDTH;
    }
    P[y * n + x] = (float)total;
}
