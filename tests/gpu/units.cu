// What units take for an instruction: products of 64 bits, special registers, constants by an index, in turns of a
// scheduler or of an SM. A program of its own: nvcc -O3 -std=c++17 -arch=sm_90 -o units units.cu && ./units. What an
// H200 said stands in tests/bench/model/ASSEMBLER.md.
#include <cstdio>
#include <cuda_runtime.h>
template <int OP> __global__ void __launch_bounds__(1024, 1) rate(unsigned long long *out, long long *cycles, int k, int n, const int *zero)
{
    int v[8]; unsigned long long w[8];
    for (int i = 0; i < 8; i++) { v[i] = threadIdx.x * 7 + i + zero[i]; w[i] = v[i]; }
    __syncthreads();
    long long start = clock64();
#pragma unroll 1
    for (int j = 0; j < 64; j++)
#pragma unroll
        for (int u = 0; u < 4; u++)
#pragma unroll
            for (int i = 0; i < 8; i++) {
                if (OP == 0) asm volatile("{.reg .b32 lo, hi; mov.b64 {lo, hi}, %0; mad.wide.s32 %0, lo, %1, %0;}" : "+l"(w[i]) : "r"(k));
                if (OP == 1) asm volatile("mad.lo.s32 %0, %0, %1, %2;" : "+r"(v[i]) : "r"(k), "r"(n));
                if (OP == 2) asm volatile("max.s32 %0, %0, %1;" : "+r"(v[i]) : "r"(k + j));
                if (OP == 3) { asm volatile("max.s32 %0, %0, %1;" : "+r"(v[i]) : "r"(k + j)); asm volatile("{.reg .b32 lo, hi; mov.b64 {lo, hi}, %0; mad.wide.s32 %0, lo, %1, %0;}" : "+l"(w[i]) : "r"(k)); }
                if (OP == 4) { asm volatile("max.s32 %0, %0, %1;" : "+r"(v[i]) : "r"(k + j)); asm volatile("{.reg .u32 t; mov.u32 t, %%tid.x; add.s32 %0, %0, t;}" : "+r"(v[i])); }
                if (OP == 5) { asm volatile("{.reg .b32 lo, hi; .reg .u64 a; mad.wide.s32 a, %1, 4, %2; mov.b64 {lo, hi}, a; xor.b32 %1, lo, hi; }" : "+l"(w[i]), "+r"(v[i]) : "l"(out)); }
            }
    __syncthreads();
    long long stop = clock64();
    if (threadIdx.x == 0) cycles[blockIdx.x] = stop - start;
    unsigned long long s = 0; for (int i = 0; i < 8; i++) s += v[i] + w[i];
    out[blockIdx.x * 1024 + threadIdx.x] = s;
}
__global__ void __launch_bounds__(1024, 1) sreg(unsigned *out, long long *cycles, int warps)
{
    unsigned x = threadIdx.x;
    __syncthreads();
    long long start = clock64();
    if (threadIdx.x / 32 < warps)
#pragma unroll 1
    for (int j = 0; j < 64; j++)
#pragma unroll
        for (int i = 0; i < 16; i++) { unsigned t; asm volatile("mov.u32 %0, %%smid;" : "=r"(t)); x ^= t; }
    __syncthreads();
    long long stop = clock64();
    if (threadIdx.x == 0) cycles[0] = stop - start;
    out[threadIdx.x] = x;
}
__constant__ unsigned table[64];
__global__ void __launch_bounds__(1024, 1) ldc(unsigned *out, long long *cycles, int warps, int step)
{
    unsigned x = 0, at = step;
    __syncthreads();
    long long start = clock64();
    if (threadIdx.x / 32 < warps)
#pragma unroll 1
    for (int j = 0; j < 64; j++)
#pragma unroll
        for (int i = 0; i < 16; i++) { x ^= table[(at + i) & 63]; at += step; }
    __syncthreads();
    long long stop = clock64();
    if (threadIdx.x == 0) cycles[0] = stop - start;
    out[threadIdx.x] = x;
}
int main()
{
    unsigned long long *out; long long *c, h; int *zero;
    cudaMalloc(&out, 8 << 20); cudaMalloc(&c, 4096); cudaMalloc(&zero, 64); cudaMemset(zero, 0, 64);
    const char *names[] = {"mad.wide", "mad.lo", "max", "max+mad.wide", "max+s2r", "mad.wide by 4, xor"};
#define R(OP) for (int i = 0; i < 3; i++) rate<OP><<<132, 1024>>>(out, c, 17, 3, zero); cudaMemcpy(&h, c, 8, cudaMemcpyDeviceToHost); printf("%s: %.3f clocks of a scheduler each\n", names[OP], (double)h / (64 * 32 * 8));
    R(0) R(1) R(2) R(3) R(4) R(5)
    for (int w = 1; w <= 32; w *= 2) {
        for (int i = 0; i < 3; i++) sreg<<<1, 1024>>>((unsigned *)out, c, w);
        cudaMemcpy(&h, c, 8, cudaMemcpyDeviceToHost);
        printf("s2r, %d warps: %.2f clocks of an SM each\n", w, (double)h / (64 * 16 * w));
        for (int i = 0; i < 3; i++) ldc<<<1, 1024>>>((unsigned *)out, c, w, 0);
        cudaMemcpy(&h, c, 8, cudaMemcpyDeviceToHost);
        printf("ldc, %d warps: %.2f clocks of an SM each\n", w, (double)h / (64 * 16 * w));
    }
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
