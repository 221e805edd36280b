// Three streams in turn: while one copies to the device, another computes and the third copies back. The
// first chunk's way there and the last one's way back overlap nothing, so chunks should be small; each
// also costs two calls and a launch, so not too small. 128 Ki elements are half a megabyte.
#include <cuda_runtime.h>

constexpr int CHUNK = 131072, STREAMS = 3;

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
    // The card reaches only memory that cannot move.
    cudaHostRegister(x, n * sizeof(float), cudaHostRegisterDefault);
    cudaHostRegister(y, n * sizeof(float), cudaHostRegisterDefault);
    for (int i = 0; i < STREAMS; i++) {
        cudaStreamCreate(&streams[i]);
        cudaMalloc(&on_device[i], CHUNK * sizeof(float));
    }
    for (int first = 0, turn = 0; first < n; first += CHUNK, turn = (turn + 1) % STREAMS) {
        int count = n - first < CHUNK ? n - first : CHUNK;
        size_t bytes = count * sizeof(float);
        // A buffer belongs to one stream: its order is all the order that it needs.
        cudaMemcpyAsync(on_device[turn], x + first, bytes, cudaMemcpyHostToDevice, streams[turn]);
        square<<<(count + 255) / 256, 256, 0, streams[turn]>>>(on_device[turn], count);
        cudaMemcpyAsync(y + first, on_device[turn], bytes, cudaMemcpyDeviceToHost, streams[turn]);
    }
    for (int i = 0; i < STREAMS; i++) {
        cudaStreamSynchronize(streams[i]);
        cudaStreamDestroy(streams[i]);
        cudaFree(on_device[i]);
    }
    cudaHostUnregister(x);
    cudaHostUnregister(y);
}
