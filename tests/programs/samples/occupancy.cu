// The size of a block that fills the card, asked of the runtime, and what a kernel needs.
#include "check.h"

__global__ void square(int *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= x[i];
}

__global__ void with_shared(int *x) {
    extern __shared__ int s[];
    __shared__ int fixed[100];
    s[threadIdx.x] = x[threadIdx.x];
    fixed[threadIdx.x % 100] = 0;
    __syncthreads();
    x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

int main() {
    const int n = 10000;
    int min_grid = 0, block = 0, blocks = 0, *d, h[3];
    CHECK(cudaOccupancyMaxPotentialBlockSize(&min_grid, &block, square, 0, 0));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, square, block, 0));
    cudaDeviceProp prop;
    CHECK(cudaGetDeviceProperties(&prop, 0));
    printf("blocks of %d, occupancy %d%%, a grid of all SMs: %s\n", block,
           100 * blocks * block / prop.maxThreadsPerMultiProcessor,
           min_grid == blocks * prop.multiProcessorCount ? "yes" : "no");
    cudaFuncAttributes attributes;
    CHECK(cudaFuncGetAttributes(&attributes, with_shared));
    printf("shared %zu, constant %zu, local %zu, largest block %d\n", attributes.sharedSizeBytes,
           attributes.constSizeBytes, attributes.localSizeBytes, attributes.maxThreadsPerBlock);
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, with_shared, 1024, 40000));
    printf("%d blocks of 1024 with 40000 bytes\n", blocks);
    CHECK(cudaFuncSetAttribute(with_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
    CHECK(cudaMalloc(&d, n * sizeof(int)));
    CHECK(cudaMemset(d, 1, n * sizeof(int)));
    square<<<(n + block - 1) / block, block>>>(d, n);
    with_shared<<<1, 256, 100000>>>(d);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    printf("%x\n", h[0]);
    with_shared<<<1, 256, 300000>>>(d);
    printf("too much: %s\n", cudaGetErrorName(cudaGetLastError()));
    CHECK(cudaFree(d));
}
