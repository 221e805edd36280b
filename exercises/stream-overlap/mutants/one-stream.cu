#include <cuda_runtime.h>

constexpr int CHUNK = 65536, STREAMS = 1;

__global__ void square(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = x[i] * x[i];
}

void solve(float *x, float *y, int n)
{
    cudaStream_t streams[STREAMS];
    float *on_device[STREAMS];
    cudaHostRegister(x, n * sizeof(float), cudaHostRegisterDefault);
    cudaHostRegister(y, n * sizeof(float), cudaHostRegisterDefault);
    for (int i = 0; i < STREAMS; i++) {
        cudaStreamCreate(&streams[i]);
        cudaMalloc(&on_device[i], CHUNK * sizeof(float));
    }
    for (int first = 0, turn = 0; first < n; first += CHUNK, turn = (turn + 1) % STREAMS) {
        int count = n - first < CHUNK ? n - first : CHUNK;
        size_t bytes = count * sizeof(float);
        cudaMemcpyAsync(on_device[turn], x + first, bytes, cudaMemcpyHostToDevice, streams[turn]);
        square<<<(count + 255) / 256, 256, 0, streams[turn]>>>(on_device[turn], count);
        cudaMemcpyAsync(y + first, on_device[turn], bytes, cudaMemcpyDeviceToHost, streams[turn]);
    }
    cudaDeviceSynchronize();
    for (int i = 0; i < STREAMS; i++) {
        cudaStreamDestroy(streams[i]);
        cudaFree(on_device[i]);
    }
    cudaHostUnregister(x);
    cudaHostUnregister(y);
}
