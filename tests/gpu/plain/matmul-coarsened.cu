// warpgrade: matmul-coarsened
// A tile of M and four of N; an element of M is read once for four columns.
#define TILE_WIDTH    16
#define COARSE_FACTOR 4

__global__ void matmul(const float *M, const float *N, float *P, int width)
{
    __shared__ float m[TILE_WIDTH][TILE_WIDTH];
    __shared__ float n[TILE_WIDTH][TILE_WIDTH * COARSE_FACTOR];
    int x = threadIdx.x;
    int y = threadIdx.y;
    int row = blockIdx.y * TILE_WIDTH + y;
    int first = blockIdx.x * TILE_WIDTH * COARSE_FACTOR + x;
    float sums[COARSE_FACTOR] = {0.0f};
    for (int start = 0; start < width; start += TILE_WIDTH) {
        m[y][x] = row < width && start + x < width ? M[row * width + start + x] : 0.0f;
        for (int c = 0; c < COARSE_FACTOR; c++) {
            int column = first + c * TILE_WIDTH;
            bool exists = start + y < width && column < width;
            n[y][c * TILE_WIDTH + x] = exists ? N[(start + y) * width + column] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < TILE_WIDTH; k++) {
            float factor = m[y][k];
            for (int c = 0; c < COARSE_FACTOR; c++)
                sums[c] += factor * n[k][c * TILE_WIDTH + x];
        }
        __syncthreads();
    }
    for (int c = 0; c < COARSE_FACTOR; c++) {
        int column = first + c * TILE_WIDTH;
        if (row < width && column < width)
            P[row * width + column] = sums[c];
    }
}
