// A barrier after every single multiplication.
#define TILE_WIDTH 16

__global__ void matmul(const float *M, const float *N, float *P, int width)
{
    __shared__ float tileM[TILE_WIDTH][TILE_WIDTH];
    __shared__ float tileN[TILE_WIDTH][TILE_WIDTH];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE_WIDTH + ty, col = blockIdx.x * TILE_WIDTH + tx;
    float sum = 0.0f;
    for (int k = 0; k < width; k += TILE_WIDTH) {
        tileM[ty][tx] = row < width && k + tx < width ? M[row * width + k + tx] : 0.0f;
        tileN[ty][tx] = k + ty < width && col < width ? N[(k + ty) * width + col] : 0.0f;
        __syncthreads();
        for (int i = 0; i < TILE_WIDTH; i++) {
            sum += tileM[ty][i] * tileN[i][tx];
            __syncthreads();
        }
    }
    if (row < width && col < width)
        P[row * width + col] = sum;
}
