// warpgrade: matmul-tiled
#define TILE_WIDTH 16
// Two buffers in turn: one barrier a tile.
__global__ void matmul(const float *M, const float *N, float *P, int tiles)
{
    __shared__ float buffer[2][2][TILE_WIDTH * TILE_WIDTH];
    int me = threadIdx.y * TILE_WIDTH + threadIdx.x;
    int pitch = tiles * TILE_WIDTH;
    int r = blockIdx.y * TILE_WIDTH + threadIdx.y;
    int c = blockIdx.x * TILE_WIDTH + threadIdx.x;
    float result = 0.0f;
    for (int t = 0; t < tiles; t++) {
        float *m = buffer[t & 1][0], *n = buffer[t & 1][1];
        m[me] = M[r * pitch + t * TILE_WIDTH + threadIdx.x];
        n[me] = N[(t * TILE_WIDTH + threadIdx.y) * pitch + c];
        __syncthreads();
        for (int k = 0; k < TILE_WIDTH; k++)
            result += m[threadIdx.y * TILE_WIDTH + k] * n[k * TILE_WIDTH + threadIdx.x];
    }
    P[r * pitch + c] = result;
}
