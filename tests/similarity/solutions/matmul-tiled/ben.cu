// warpgrade: matmul-tiled
#define TILE_WIDTH 16
// The next tiles are fetched into registers while the present ones are multiplied.
__global__ void matmul(const float *M, const float *N, float *P, int tiles)
{
    __shared__ float a[16][16];
    __shared__ float b[16][16];
    const int w = 16 * tiles;
    const float *pm = M + (blockIdx.y * 16 + threadIdx.y) * w + threadIdx.x;
    const float *pn = N + threadIdx.y * w + blockIdx.x * 16 + threadIdx.x;
    float nextM = *pm, nextN = *pn, acc = 0.f;
    for (int t = 1; t <= tiles; ++t) {
        a[threadIdx.y][threadIdx.x] = nextM;
        b[threadIdx.y][threadIdx.x] = nextN;
        __syncthreads();
        if (t < tiles) {
            pm += 16;
            pn += 16 * w;
            nextM = *pm;
            nextN = *pn;
        }
#pragma unroll
        for (int k = 0; k < 16; ++k)
            acc = fmaf(a[threadIdx.y][k], b[k][threadIdx.x], acc);
        __syncthreads();
    }
    P[(blockIdx.y * 16 + threadIdx.y) * w + blockIdx.x * 16 + threadIdx.x] = acc;
}
