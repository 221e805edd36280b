// warpgrade: matmul-boundary
// Wrong: tiles at the edge read past the matrices.
#define TILE_WIDTH 16

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
        tile_m[ty][tx] = M[row * width + m_col];
        tile_n[ty][tx] = N[n_row * width + col];
        __syncthreads();
        for (int k = 0; k < TILE_WIDTH; k++)
            sum += tile_m[ty][k] * tile_n[k][tx];
        __syncthreads();
    }
    if (row < width && col < width)
        P[row * width + col] = sum;
}
