// The tile of N is stored transposed without padding: each load of a column hits one bank.
#define TILE_WIDTH 32

__global__ void matmul(const float *M, const float *N, float *P, int width)
{
    __shared__ float tileM[TILE_WIDTH][TILE_WIDTH];
    __shared__ float tileN[TILE_WIDTH][TILE_WIDTH];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE_WIDTH + ty, col = blockIdx.x * TILE_WIDTH + tx;
    float sum = 0.0f;
    for (int k = 0; k < width; k += TILE_WIDTH) {
        tileM[ty][tx] = row < width && k + tx < width ? M[row * width + k + tx] : 0.0f;
        tileN[tx][ty] = k + ty < width && col < width ? N[(k + ty) * width + col] : 0.0f;
        __syncthreads();
        for (int i = 0; i < TILE_WIDTH; i++)
            sum += tileM[ty][i] * tileN[tx][i];
        __syncthreads();
    }
    if (row < width && col < width)
        P[row * width + col] = sum;
}
