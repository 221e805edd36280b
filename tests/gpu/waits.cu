// Requests that find a line on its way: T requests of each warp for the same line (or W sectors of it), one
// after the other, lines from device memory or from the second-level cache, each line by one warp only.
// A program of its own: nvcc -O3 -arch=sm_90 -o waits waits.cu && ./waits. What an H200 said stands in
// tests/bench/model/MEMORY.md.
#include <cstdio>
#include <cuda_runtime.h>
template <int T, int W, int U> __global__ void __launch_bounds__(256, 8)
run(const float *in, float *out, unsigned lines, unsigned mask)
{
    unsigned lane = threadIdx.x % 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    unsigned warps = gridDim.x * blockDim.x / 32;
    float sum = 0;
    for (unsigned l = warp; l + (U - 1) * warps < lines; l += U * warps) {
        float v[U][T];
#pragma unroll
        for (int u = 0; u < U; u++)
#pragma unroll
            for (int t = 0; t < T; t++) {
                const float *p = in + (size_t)((l + u * warps) & mask) * 32 + (lane + t) % (8 * W);
                asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(v[u][t]) : "l"(p));
            }
#pragma unroll
        for (int u = 0; u < U; u++)
#pragma unroll
            for (int t = 0; t < T; t++)
                sum += v[u][t];
    }
    if (sum == 1.2345f) out[threadIdx.x] = sum;
}
float *in, *out;
template <int T, int W, int U> void go(const char *where, unsigned lines, unsigned mask, int blocks)
{
    cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b);
    float best = 1e9;
    for (int i = 0; i < 7; i++) {
        cudaMemsetAsync(out, 0, 256 << 20);
        cudaEventRecord(a);
        run<T, W, U><<<132 * blocks, 256>>>(in, out, lines, mask);
        cudaEventRecord(b); cudaEventSynchronize(b);
        float ms; cudaEventElapsedTime(&ms, a, b); if (ms < best) best = ms;
    }
    double clocks = (best * 1000 - 3.9) * 1980 / ((double)lines / 132);
    printf("%s T=%d W=%d U=%d blocks=%d: %.1f us, %.2f clocks a line and SM, %.2f a request\n", where, T, W, U, blocks, best * 1000, clocks, clocks / T);
}
template <int W, int U> void all(const char *where, unsigned lines, unsigned mask, int blocks)
{
    go<1, W, U>(where, lines, mask, blocks); go<2, W, U>(where, lines, mask, blocks);
    go<4, W, U>(where, lines, mask, blocks); go<8, W, U>(where, lines, mask, blocks);
}
int main()
{
    cudaMalloc(&in, 512 << 20); cudaMalloc(&out, 256 << 20); cudaMemset(in, 0, 512 << 20);
    const unsigned dram = 1 << 22, l2 = 1 << 21, small = (1 << 17) - 1; /* 512 MiB; 16 MiB again */
    for (int blocks = 2; blocks <= 8; blocks *= 2) {
        all<1, 2>("dram", dram, ~0u, blocks); all<2, 2>("dram", dram, ~0u, blocks); all<4, 2>("dram", dram, ~0u, blocks);
        all<1, 2>("l2", l2, small, blocks); all<2, 2>("l2", l2, small, blocks); all<4, 2>("l2", l2, small, blocks);
    }
    all<1, 1>("dram", dram, ~0u, 8); all<4, 1>("dram", dram, ~0u, 8);
    all<1, 1>("l2", l2, small, 8); all<4, 1>("l2", l2, small, 8);
    cudaError_t e = cudaDeviceSynchronize(); printf("%s\n", cudaGetErrorString(e));
}
