#include <cuda_runtime.h>

constexpr int CHUNK = 65536;

__global__ void square(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = x[i] * x[i];
}

void solve(const float *x, float *y, int n)
{
    float *on_device;
    cudaMalloc(&on_device, CHUNK * sizeof(float));
    for (int first = 0; first < n; first += CHUNK) {
        int count = n - first < CHUNK ? n - first : CHUNK;
        size_t bytes = count * sizeof(float);
        cudaMemcpyAsync(on_device, x + first, bytes, cudaMemcpyHostToDevice);
        square<<<(count + 255) / 256, 256>>>(on_device, count);
        cudaMemcpyAsync(y + first, on_device, bytes, cudaMemcpyDeviceToHost);
        cudaDeviceSynchronize();
    }
    cudaFree(on_device);
}
