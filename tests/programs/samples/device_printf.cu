// What kernels print: every conversion, in the order of one thread; flushed at synchronisation.
#include "check.h"

__global__ void hello(const char *name, float x) {
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        printf("Hello, %s: %d %5u|%-6d|%06.2f %e %g %x %c %lld %%\n", name, -5, 7u, 42, x, x, x, 255, 'z', 1ll << 40);
        printf("%p is null\n", (void *)0);
        int n = printf("%s\n", "three arguments: ");
        printf("printf gave %d\n", n);
        printf("%hd|%5.1f%s\n", (short)-3, 2.25, "");
    }
}

__device__ char text[] = "device text";

__global__ void later(int i) { printf("launch %d: %s\n", i, text); }

int main() {
    char *name;
    CHECK(cudaMalloc(&name, 16));
    CHECK(cudaMemcpy(name, "world", 6, cudaMemcpyHostToDevice));
    hello<<<2, 64>>>(name, 3.14159f);
    CHECK(cudaDeviceSynchronize());
    fflush(stdout);
    for (int i = 0; i < 3; i++)
        later<<<1, 1>>>(i);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(name));
}
