#include <cuda_runtime.h>

void solve(const float *x, float *y, int n)
{
    float *pinned;
    cudaMallocHost(&pinned, n * sizeof(float));
    for (int i = 0; i < n; i++)
        pinned[i] = x[i] * x[i];
    for (int i = 0; i < n; i++)
        y[i] = pinned[i];
    cudaFreeHost(pinned);
}
