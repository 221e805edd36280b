// warpgrade: matmul-rectangular
// Tiles of 16 x 16; each access is checked against the sizes of its own matrix.
#define TILE_WIDTH 16

__global__ void matmul(const float *M, const float *N, float *P, int j, int k, int l)
{
    __shared__ float m[TILE_WIDTH][TILE_WIDTH];
    __shared__ float n[TILE_WIDTH][TILE_WIDTH];
    int x = threadIdx.x;
    int y = threadIdx.y;
    int row = blockIdx.y * TILE_WIDTH + y;
    int column = blockIdx.x * TILE_WIDTH + x;
    float sum = 0.0f;
    for (int start = 0; start < k; start += TILE_WIDTH) {
        m[y][x] = row < j && start + x < k ? M[row * k + start + x] : 0.0f;
        n[y][x] = start + y < k && column < l ? N[(start + y) * l + column] : 0.0f;
        __syncthreads();
        for (int i = 0; i < TILE_WIDTH; i++)
            sum += m[y][i] * n[i][x];
        __syncthreads();
    }
    if (row < j && column < l)
        P[row * l + column] = sum;
}
