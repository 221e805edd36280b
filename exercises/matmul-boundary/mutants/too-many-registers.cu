// A block of 32 x 32 threads of which each keeps 96 numbers across barriers: no SM has the registers,
// so that the launch fails on every device.
#define TILE_WIDTH 32
#define KEPT       96

__global__ void matmul(const float *M, const float *N, float *P, int width)
{
    __shared__ float tileM[TILE_WIDTH][TILE_WIDTH], tileN[TILE_WIDTH][TILE_WIDTH];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE_WIDTH + ty, col = blockIdx.x * TILE_WIDTH + tx;
    float kept[KEPT], sum = 0.0f, all = 0.0f;
#pragma unroll
    for (int i = 0; i < KEPT; i++)
        kept[i] = M[i % (width * width)];
    for (int k = 0; k < width; k += TILE_WIDTH) {
        tileM[ty][tx] = row < width && k + tx < width ? M[row * width + k + tx] : 0.0f;
        tileN[ty][tx] = k + ty < width && col < width ? N[(k + ty) * width + col] : 0.0f;
        __syncthreads();
        for (int i = 0; i < TILE_WIDTH; i++)
            sum += tileM[ty][i] * tileN[i][tx];
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < KEPT; i++)
        all += kept[i];
    if (row < width && col < width)
        P[row * width + col] = all == 12345.678f ? all : sum;
}
