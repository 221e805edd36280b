// Two kinds of errors: a launch that cannot be made is known at once, from cudaGetLastError; what a
// kernel does wrong while it runs, from the next call that waits for it. Both are asked for here.
#include <cuda_runtime.h>

__global__ void square(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] * x[i];
}

// cudaGetLastError gives the error and forgets it, so that the next launch begins with none: the value
// has to be kept.
static cudaError_t launch(const float *x, float *y, int n, int block)
{
    int blocks = block > 0 ? (n + block - 1) / block : 1;
    square<<<blocks, block>>>(x, y, n);
    return cudaGetLastError();
}

void solve(const float *x, float *y, int *status, int n, int block)
{
    float *on_device_x = NULL, *on_device_y = NULL;
    size_t bytes = n * sizeof(float);
    cudaError_t error = cudaMalloc(&on_device_x, bytes);
    if (error == cudaSuccess)
        error = cudaMalloc(&on_device_y, bytes);
    if (error == cudaSuccess)
        error = cudaMemcpy(on_device_x, x, bytes, cudaMemcpyHostToDevice);
    status[0] = error;
    if (error == cudaSuccess) {
        status[0] = error = launch(on_device_x, on_device_y, n, block);
        if (error != cudaSuccess) // a size that every card takes
            error = launch(on_device_x, on_device_y, n, 128);
    }
    // The copy waits for the kernel, and returns what went wrong in it.
    if (error == cudaSuccess)
        error = cudaMemcpy(y, on_device_y, bytes, cudaMemcpyDeviceToHost);
    if (error != cudaSuccess && status[0] == cudaSuccess)
        status[0] = error;
    cudaFree(on_device_x); // of NULL: nothing happens
    cudaFree(on_device_y);
}
