// warpgrade: pinned-memory
//
// Host pointers to n elements; y[i] = x[i] * x[i], by a kernel, by way of a pinned buffer.
#include <cuda_runtime.h>
#include <string.h>

void solve(const float *x, float *y, int n)
{
    // your code: a kernel above; cudaMallocHost, and for each chunk memcpy, cudaMemcpyAsync, launch, wait
}
