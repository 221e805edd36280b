// Four threads of the host, each with a stream and buffers of its own.
// nvcc: -Xcompiler -pthread
#include "check.h"

#include <thread>
#include <vector>

__global__ void iterate(unsigned *x, int n, int rounds) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        for (int k = 0; k < rounds; k++)
            x[i] = x[i] * 1664525u + 1013904223u;
}

void work(int id, unsigned *result) {
    const int n = 1000;
    std::vector<unsigned> h(n, id);
    unsigned *d;
    cudaStream_t stream;
    CHECK(cudaSetDevice(0));
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMalloc(&d, n * sizeof(unsigned)));
    for (int round = 0; round < 5; round++) {
        CHECK(cudaMemcpyAsync(d, h.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice, stream));
        iterate<<<(n + 127) / 128, 128, 0, stream>>>(d, n, id + 1);
        CHECK(cudaMemcpyAsync(h.data(), d, n * sizeof(unsigned), cudaMemcpyDeviceToHost, stream));
        CHECK(cudaStreamSynchronize(stream));
    }
    *result = h[n - 1];
    CHECK(cudaFree(d));
    CHECK(cudaStreamDestroy(stream));
}

int main() {
    unsigned results[4];
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; i++)
        threads.emplace_back(work, i, &results[i]);
    for (std::thread &t : threads)
        t.join();
    for (unsigned r : results)
        printf("%u\n", r);
}
