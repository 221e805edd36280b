// Clocks of a scheduler for a sum or a difference, of two or of three, where eight warps have eight of their own each.
#include <cstdio>
#define SUM(text) asm volatile(text : "+r"(x[i]) : "r"(x[(i + 1) & 7]), "r"(b))
template <int KIND> __global__ void sums(int *out, long long *clocks, int b, int rounds)
{
    int x[8], s = 0;
    for (int i = 0; i < 8; i++)
        x[i] = threadIdx.x + i;
    long long start = clock64();
#pragma unroll 1
    for (int r = 0; r < rounds; r++)
#pragma unroll
        for (int i = 0; i < 8; i++) {
            if (KIND == 0)
                SUM("add.s32 %0, %0, %1;");
            if (KIND == 1)
                SUM("sub.s32 %0, %0, %1;");
            if (KIND == 2)
                SUM("{.reg .s32 t; add.s32 t, %0, %1; add.s32 %0, t, %2;}");
            if (KIND == 3)
                SUM("{.reg .s32 t; add.s32 t, %0, %1; sub.s32 %0, t, %2;}");
            if (KIND == 4)
                SUM("{.reg .s32 t; shl.b32 t, %1, 5; add.s32 %0, t, %0;}");
        }
    long long end = clock64();
    for (int i = 0; i < 8; i++)
        s += x[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = s;
    if (threadIdx.x == 0)
        clocks[blockIdx.x] = end - start;
}
template <int KIND> static void run(const char *name, int *out, long long *clocks)
{
    long long first;
    for (int i = 0; i < 2; i++)
        sums<KIND><<<132, 1024>>>(out, clocks, 5, 200);
    cudaMemcpy(&first, clocks, sizeof first, cudaMemcpyDeviceToHost);
    printf("%s: %.2f clocks\n", name, first / 200.0 / 8 / 8);
}
int main()
{
    int *out;
    long long *clocks;
    cudaMalloc(&out, 132 * 1024 * sizeof *out);
    cudaMalloc(&clocks, 132 * sizeof *clocks);
    run<0>("a + b", out, clocks);
    run<1>("a - b", out, clocks);
    run<2>("a + b + c", out, clocks);
    run<3>("a + b - c", out, clocks);
    run<4>("a + (b << 5)", out, clocks);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
