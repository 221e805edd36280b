// Right, but each multiplication reads two numbers from shared memory.
#define TILE_ROWS 16
#define TILE_COLS 16
#define THREADS   256

__global__ void matmul(const float *M, const float *N, float *P, int width)
{
    __shared__ float tileM[16][16], tileN[16][16];
    int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
    int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
    float sum = 0.0f;
    for (int k = 0; k < width; k += 16) {
        tileM[ty][tx] = row < width && k + tx < width ? M[row * width + k + tx] : 0.0f;
        tileN[ty][tx] = k + ty < width && col < width ? N[(k + ty) * width + col] : 0.0f;
        __syncthreads();
        for (int i = 0; i < 16; i++)
            sum += tileM[ty][i] * tileN[i][tx];
        __syncthreads();
    }
    if (row < width && col < width)
        P[row * width + col] = sum;
}
