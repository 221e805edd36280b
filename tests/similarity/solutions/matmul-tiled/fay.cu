// warpgrade: matmul-tiled
#define TILE_WIDTH 16
__device__ void load(float *to, const float *from, int stride)
{
    to[threadIdx.y * TILE_WIDTH + threadIdx.x] = from[threadIdx.y * stride + threadIdx.x];
}
__device__ float dotOfTiles(const float *m, const float *n)
{
    float d = 0;
    for (int k = 0; k < TILE_WIDTH; k++)
        d += m[threadIdx.y * TILE_WIDTH + k] * n[k * TILE_WIDTH + threadIdx.x];
    return d;
}
__global__ void matmul(const float *M, const float *N, float *P, int tiles)
{
    extern __shared__ float unused[];
    __shared__ float tm[TILE_WIDTH * TILE_WIDTH], tn[TILE_WIDTH * TILE_WIDTH];
    int stride = tiles * TILE_WIDTH;
    M += blockIdx.y * TILE_WIDTH * stride;
    N += blockIdx.x * TILE_WIDTH;
    float p = 0;
    for (int step = 0; step < tiles; step++) {
        load(tm, M, stride);
        load(tn, N, stride);
        __syncthreads();
        p += dotOfTiles(tm, tn);
        __syncthreads();
        M += TILE_WIDTH;
        N += TILE_WIDTH * stride;
    }
    P += blockIdx.y * TILE_WIDTH * stride + blockIdx.x * TILE_WIDTH;
    P[threadIdx.y * stride + threadIdx.x] = p;
}
