// warpgrade: matmul-boundary
// Right, and slow: no tile, so every product reads two elements from global memory.
#define TILE_WIDTH 16

__global__ void matmul(const float *M, const float *N, float *P, int width) {
    int row = blockIdx.y * TILE_WIDTH + threadIdx.y;
    int col = blockIdx.x * TILE_WIDTH + threadIdx.x;
    if (row < width && col < width) {
        float sum = 0.0f;
        for (int k = 0; k < width; k++)
            sum += M[row * width + k] * N[k * width + col];
        P[row * width + col] = sum;
    }
}
