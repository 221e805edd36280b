// The tiles are kept transposed, so that neighbouring threads store and load along a column: all of
// their words lie in a few banks.
#define TILE_WIDTH 16

__global__ void matmul(const float *M, const float *N, float *P, int width)
{
    __shared__ float tileM[TILE_WIDTH][TILE_WIDTH];
    __shared__ float tileN[TILE_WIDTH][TILE_WIDTH];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE_WIDTH + ty;
    int col = blockIdx.x * TILE_WIDTH + tx;
    float sum = 0.0f;
    for (int k = 0; k < width; k += TILE_WIDTH) {
        tileM[tx][ty] = row < width && k + tx < width ? M[row * width + k + tx] : 0.0f;
        tileN[tx][ty] = k + ty < width && col < width ? N[(k + ty) * width + col] : 0.0f;
        __syncthreads();
        for (int i = 0; i < TILE_WIDTH; i++)
            sum += tileM[i][ty] * tileN[tx][i];
        __syncthreads();
    }
    if (row < width && col < width)
        P[row * width + col] = sum;
}
