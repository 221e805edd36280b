// warpgrade: error-handling
//
// Host pointers. y[i] = x[i] * x[i], by a kernel with `block` threads in each block; where that cannot be
// launched, with 128. status[0] is the number of the first launch's error.
#include <cuda_runtime.h>

__global__ void square(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] * x[i];
}

void solve(const float *x, float *y, int *status, int n, int block)
{
    status[0] = 0;
    // your code
}
