// When the blocks of a product of tiles start, and how long they wait for a tile of M, which all blocks of their row
// read: 16 rows of 64 bytes a step. With few blocks an SM (arrays of 384 columns, of which 16 are used) or eight.
// Then the product without tiles, each of whose factors lies in one row or where it belongs (0: all find it in the L1).
// A program of its own: nvcc -O3 -std=c++17 -arch=sm_90 -o starts starts.cu && ./starts. What an H200 said stands in
// tests/bench/model/BLOCKS.md.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>
static float *m, *n, *p; static unsigned *notes; static char *more; static cudaEvent_t a, b;
template <class F> float best_us(F launch)
{
    std::vector<float> t(7);
    for (float &us : t) {
        cudaMemsetAsync(more, 0, 256 << 20); /* nothing of the factors is left in the L2 */
        cudaEventRecord(a); launch(); cudaEventRecord(b); cudaEventSynchronize(b);
        cudaEventElapsedTime(&us, a, b);
    }
    std::sort(t.begin(), t.end());
    return t[3] * 1000;
}
__device__ unsigned clocks() { unsigned c; asm volatile("mov.u32 %0, %%clock;" : "=r"(c)); return c; }
template <int COLUMNS> __global__ void tiles(const float *M, const float *N, float *P, int width, unsigned *notes)
{
    __shared__ float tileM[16][COLUMNS], tileN[16][COLUMNS];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
    unsigned long long start; asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    float sum = 0;
    unsigned far = 0, waited = 0, begin = clocks();
    for (int k = 0; k < width; k += 16) {
        unsigned before = clocks();
        float one = row < width && k + tx < width ? M[row * width + k + tx] : 0.0f;
        float other = k + ty < width && col < width ? N[(k + ty) * width + col] : 0.0f;
        tileM[ty][tx] = one;
        unsigned after = clocks();
        tileN[ty][tx] = other;
        waited += after - before;
        far += after - before > 650;
        __syncthreads();
        for (int i = 0; i < 16; i++)
            sum += tileM[ty][i] * tileN[i][tx];
        __syncthreads();
    }
    P[row * width + col] = sum;
    if (tx == 0 && ty == 0) {
        unsigned *note = notes + 4 * (blockIdx.y * gridDim.x + blockIdx.x);
        note[0] = (unsigned)start, note[1] = waited, note[2] = far, note[3] = clocks() - begin;
    }
}
template <int COLUMNS> void starts(int width, int step)
{
    dim3 block(16, 16), grid(width / 16, width / 16);
    int blocks = grid.x * grid.y;
    std::vector<unsigned> h(blocks * 4);
    float us = best_us([&] { tiles<COLUMNS><<<grid, block>>>(m, n, p, width, notes); });
    cudaMemcpy(h.data(), notes, blocks * 16, cudaMemcpyDeviceToHost);
    unsigned first = h[0];
    for (int i = 0; i < blocks; i++)
        first = (int)(h[4 * i] - first) < 0 ? h[4 * i] : first;
    printf("tiles of %d columns, width %d: %.1f us, %d blocks\n", COLUMNS, width, us, blocks);
    for (int f = 0; f + 132 <= blocks; f += step) {
        double waited = 0, far = 0, life = 0, steps = width / 16.0 * 132;
        std::vector<unsigned> start;
        for (int i = f; i < f + 132; i++) {
            start.push_back(h[4 * i] - first);
            waited += h[4 * i + 1], far += h[4 * i + 2], life += h[4 * i + 3];
        }
        std::sort(start.begin(), start.end());
        printf("  132 blocks from %4d on: start at %7.1f us, one every %5.0f clocks, a step waits %.0f, share above 650: %.3f, life %.0f\n",
               f, start[0] / 1000.0, (start[131] - start[0]) * 1.98 / 131, waited / steps, far / steps, life / 132);
    }
}
__global__ void naive(const float *M, const float *N, float *P, int width, int rowM, int rowN)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= width || col >= width)
        return;
    float sum = 0.0f;
    for (int k = 0; k < width; k++)
        sum += M[row * rowM + k] * N[k * rowN + col];
    P[row * width + col] = sum;
}
static void products(int width, dim3 block)
{
    dim3 grid((width + block.x - 1) / block.x, (width + block.y - 1) / block.y);
    printf("product of %d, blocks of %dx%d:", width, block.x, block.y);
    for (int rows = 0; rows < 4; rows++)
        printf(" %.1f us%s%s", best_us([&] { naive<<<grid, block>>>(m, n, p, width, rows & 1 ? 0 : width, rows & 2 ? 0 : width); }),
               rows & 1 ? " one row of M" : "", rows & 2 ? " one row of N" : "");
    printf("\n");
}
int main()
{
    cudaMalloc(&m, 64 << 20); cudaMalloc(&n, 64 << 20); cudaMalloc(&p, 64 << 20); cudaMalloc(&notes, 16 << 20); cudaMalloc(&more, 256 << 20);
    cudaMemset(m, 0, 64 << 20); cudaMemset(n, 0, 64 << 20); cudaEventCreate(&a); cudaEventCreate(&b);
    starts<384>(1536, 528); starts<16>(1536, 528); starts<384>(384, 132); starts<16>(384, 132);
    for (int width : {384, 1536}) { products(width, dim3(32, 8)); products(width, dim3(16, 16)); }
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
