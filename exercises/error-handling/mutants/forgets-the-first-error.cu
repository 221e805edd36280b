#include <cuda_runtime.h>

__global__ void square(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] * x[i];
}

static cudaError_t launch(const float *x, float *y, int n, int block)
{
    int blocks = block > 0 ? (n + block - 1) / block : 1;
    square<<<blocks, block>>>(x, y, n);
    return cudaGetLastError();
}

void solve(const float *x, float *y, int *status, int n, int block)
{
    float *dx, *dy;
    size_t bytes = n * sizeof(float);
    cudaMalloc(&dx, bytes);
    cudaMalloc(&dy, bytes);
    cudaMemcpy(dx, x, bytes, cudaMemcpyHostToDevice);
    status[0] = launch(dx, dy, n, block);
    if (status[0] != cudaSuccess)
        status[0] = launch(dx, dy, n, 128);
    cudaMemcpy(y, dy, bytes, cudaMemcpyDeviceToHost);
    cudaFree(dx);
    cudaFree(dy);
}
