// Errors that a program meets and lives with, and one that ends it with an exit code of its own.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void nothing() {}
__global__ void checked(int *p, int n) {
    if (threadIdx.x < n)
        p[threadIdx.x] = 1;
}

static void say(const char *what, cudaError_t error) {
    printf("%s: %s (%d): %s\n", what, cudaGetErrorName(error), int(error), cudaGetErrorString(error));
}

int main() {
    int *p = nullptr;
    nothing<<<1, 2048>>>();
    say("peek", cudaPeekAtLastError());
    say("get", cudaGetLastError());
    say("again", cudaGetLastError());
    nothing<<<0, 32>>>();
    say("an empty grid", cudaGetLastError());
    nothing<<<dim3(1, 70000), 32>>>();
    say("a grid too high", cudaGetLastError());
    nothing<<<1, 32, 200000>>>();
    say("too much shared memory", cudaGetLastError());
    say("no room", cudaMalloc(&p, size_t(1) << 50));
    cudaGetLastError();
    say("zero bytes", cudaMalloc(&p, 0));
    say("free of null", cudaFree(nullptr));
    say("an unknown error", cudaError_t(12345));
    if (cudaMalloc(&p, 64 * sizeof(int)) != cudaSuccess)
        return 1;
    checked<<<1, 64>>>(p, 64);
    say("synchronise", cudaDeviceSynchronize());
    say("free", cudaFree(p));
    return 42;
}
