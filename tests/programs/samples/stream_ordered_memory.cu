// Memory that is allocated and freed in the order of a stream, from a pool with a threshold.
#include "check.h"

__global__ void set(int *p, int n, int value) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        p[i] = value + i;
}

__global__ void sum(const int *p, int n, unsigned long long *out) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(out, (unsigned long long)p[i]);
}

int main() {
    int supported = 0;
    CHECK(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0));
    printf("pools: %d\n", supported);
    cudaMemPool_t pool;
    unsigned long long keep = ~0ull, *d_sum, h_sum;
    CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
    CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMallocAsync(&d_sum, sizeof h_sum, stream));
    CHECK(cudaMemsetAsync(d_sum, 0, sizeof h_sum, stream));
    for (int round = 1; round <= 4; round++) {
        int *p, n = 1000 * round;
        CHECK(cudaMallocAsync(&p, n * sizeof(int), stream));
        set<<<4, 128, 0, stream>>>(p, n, round);
        sum<<<4, 128, 0, stream>>>(p, n, d_sum);
        CHECK(cudaFreeAsync(p, stream));
    }
    CHECK(cudaMemcpyAsync(&h_sum, d_sum, sizeof h_sum, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaFreeAsync(d_sum, stream));
    CHECK(cudaStreamSynchronize(stream));
    unsigned long long used = 1;
    CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
    printf("sum %llu, in use %llu\n", h_sum, used);
    CHECK(cudaStreamDestroy(stream));
}
