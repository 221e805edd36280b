// Memory of the host that the card reads in place: mapped, and registered later.
#include "check.h"

__global__ void add(const float *a, const float *b, float *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

int main() {
    const int n = 4096;
    cudaDeviceProp prop;
    CHECK(cudaGetDeviceProperties(&prop, 0));
    printf("can map host memory: %d\n", prop.canMapHostMemory);
    CHECK(cudaSetDeviceFlags(cudaDeviceMapHost));
    float *a, *b, *c = (float *)aligned_alloc(4096, n * sizeof(float)), *d_a, *d_b, *d_c;
    CHECK(cudaHostAlloc(&a, n * sizeof(float), cudaHostAllocMapped));
    CHECK(cudaHostAlloc(&b, n * sizeof(float), cudaHostAllocMapped | cudaHostAllocWriteCombined));
    CHECK(cudaHostRegister(c, n * sizeof(float), cudaHostRegisterMapped));
    for (int i = 0; i < n; i++) {
        a[i] = float(i);
        b[i] = 0.25f;
    }
    CHECK(cudaHostGetDevicePointer(&d_a, a, 0));
    CHECK(cudaHostGetDevicePointer(&d_b, b, 0));
    CHECK(cudaHostGetDevicePointer(&d_c, c, 0));
    add<<<n / 256, 256>>>(d_a, d_b, d_c, n);
    CHECK(cudaDeviceSynchronize());
    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += c[i] != i + 0.25f;
    unsigned flags = 0;
    CHECK(cudaHostGetFlags(&flags, b));
    cudaPointerAttributes attributes;
    CHECK(cudaPointerGetAttributes(&attributes, a));
    printf("%d wrong; flags %u; type %d\n", wrong, flags, int(attributes.type));
    CHECK(cudaHostUnregister(c));
    CHECK(cudaFreeHost(a));
    CHECK(cudaFreeHost(b));
    free(c);
    return wrong;
}
