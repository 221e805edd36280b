// warpgrade: matmul-boundary
// Right as well: the student chose another tile, and the launch follows. A smaller one reads more.
#define TILE_WIDTH 8

__global__ void matmul(const float *M, const float *N, float *P, int width) {
    __shared__ float tile_m[TILE_WIDTH][TILE_WIDTH];
    __shared__ float tile_n[TILE_WIDTH][TILE_WIDTH];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE_WIDTH + ty;
    int col = blockIdx.x * TILE_WIDTH + tx;
    float sum = 0.0f;
    for (int t = 0; t < (width + TILE_WIDTH - 1) / TILE_WIDTH; t++) {
        int m_col = t * TILE_WIDTH + tx;
        int n_row = t * TILE_WIDTH + ty;
        tile_m[ty][tx] = row < width && m_col < width ? M[row * width + m_col] : 0.0f;
        tile_n[ty][tx] = n_row < width && col < width ? N[n_row * width + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE_WIDTH; k++)
            sum += tile_m[ty][k] * tile_n[k][tx];
        __syncthreads();
    }
    if (row < width && col < width)
        P[row * width + col] = sum;
}
