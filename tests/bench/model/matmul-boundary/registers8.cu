// 8 x 8 sums in registers for each of 64 threads: many registers, few warps; width is a multiple of 64.
#define TILE  64
#define DEPTH 8
#define SUMS  8

__global__ void matmul(const float *M, const float *N, float *P, int width)
{
    __shared__ float tileM[DEPTH][TILE + 4];
    __shared__ float tileN[DEPTH][TILE];
    int tx = threadIdx.x, ty = threadIdx.y, t = ty * 8 + tx;
    int row0 = blockIdx.y * TILE, col0 = blockIdx.x * TILE;
    float sum[SUMS][SUMS] = {};
    for (int k = 0; k < width; k += DEPTH) {
        for (int j = 0; j < SUMS; j++) {
            int e = t + j * 64;
            tileM[e % DEPTH][e / DEPTH] = M[(row0 + e / DEPTH) * width + k + e % DEPTH];
            tileN[e / TILE][e % TILE] = N[(k + e / TILE) * width + col0 + e % TILE];
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < DEPTH; i++) {
            float m[SUMS], n[SUMS];
            for (int j = 0; j < SUMS; j++) {
                m[j] = tileM[i][ty + j * 8];
                n[j] = tileN[i][tx + j * 8];
            }
            for (int y = 0; y < SUMS; y++)
                for (int x = 0; x < SUMS; x++)
                    sum[y][x] += m[y] * n[x];
        }
        __syncthreads();
    }
    for (int y = 0; y < SUMS; y++)
        for (int x = 0; x < SUMS; x++)
            P[(row0 + ty + y * 8) * width + col0 + tx + x * 8] = sum[y][x];
}
