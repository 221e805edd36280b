// warpgrade: matmul-tiled
// Tiles of 16 x 16.
#define TILE_WIDTH 16

__global__ void matmul(const float *M, const float *N, float *P, int tiles)
{
    __shared__ float m[TILE_WIDTH][TILE_WIDTH];
    __shared__ float n[TILE_WIDTH][TILE_WIDTH];
    int x = threadIdx.x;
    int y = threadIdx.y;
    int row = blockIdx.y * TILE_WIDTH + y;
    int column = blockIdx.x * TILE_WIDTH + x;
    int width = tiles * TILE_WIDTH;
    float sum = 0.0f;
    for (int tile = 0; tile < tiles; tile++) {
        m[y][x] = M[row * width + tile * TILE_WIDTH + x];
        n[y][x] = N[(tile * TILE_WIDTH + y) * width + column];
        __syncthreads();
        for (int k = 0; k < TILE_WIDTH; k++)
            sum += m[y][k] * n[k][x];
        __syncthreads();
    }
    P[row * width + column] = sum;
}
