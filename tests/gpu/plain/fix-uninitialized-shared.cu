// warpgrade: fix-uninitialized-shared
// The smallest number stands for an element that does not exist.
#include <limits.h>

#define BLOCK_SIZE 256

__global__ void block_maxima(const int *x, int *largest, int n)
{
    __shared__ int s[BLOCK_SIZE];
    int tid = threadIdx.x;
    int i = blockIdx.x * BLOCK_SIZE + tid;
    s[tid] = i < n ? x[i] : INT_MIN;
    __syncthreads();
    for (int half = BLOCK_SIZE / 2; half > 0; half /= 2) {
        if (tid < half)
            s[tid] = max(s[tid], s[tid + half]);
        __syncthreads();
    }
    if (tid == 0)
        largest[blockIdx.x] = s[0];
}
