// What a product of 64 bits, as an address in an array is, costs beside minima, maxima and logic: clocks of a scheduler
// for each of 16 accesses of a warp, 16 warps a scheduler; the loads find all of 12 KB in the L1.
// A program of its own: nvcc -O3 -std=c++17 -arch=sm_90 -o wide wide.cu && ./wide. What an H200 said stands in
// tests/bench/model/ASSEMBLER.md.
#include <cstdio>
#include <cuda_runtime.h>
template <int W> __global__ void __launch_bounds__(256, 8) wide(const float *__restrict__ x, float *y, int n, int step, int turns)
{
    int i = threadIdx.x; float g = 0;
    int a = 0;
    for (int j = 0; j < turns; j++) {
#pragma unroll
        for (int t = 0; t < 16; t++) {
            int c = i + t - 8;
            if (W == 0) g = fmaxf(g, x[i + t]);                                  /* LDG, FMNMX */
            if (W == 1) g += x[i + t];                                           /* LDG, FADD */
            if (W == 2) a ^= min(max(c, 0), n - 1);                              /* VIADDMNMX, VIMNMX, LOP3 */
            if (W == 3) { unsigned long long p = (unsigned long long)x + (long long)min(max(c, 0), n - 1) * 4; a ^= (int)p ^ (int)(p >> 32); }
            if (W == 4) g += x[min(max(c, 0), n - 1)];
            if (W == 5) g = fmaxf(g, x[min(max(c, 0), n - 1)]);
            if (W == 6) g = fmaxf(g, x[max(c, 0)]);
            if (W == 8) g = fmaxf(g, *(const float *)((const char *)x + (unsigned)(min(max(c, 0), n - 1) * 4)));
            if (W == 7) { float f = __int_as_float(c ^ n); g = fmaxf(g, f); a ^= min(max(c, 0), n - 1); }
            if (W == 9) { unsigned long long p = (unsigned long long)x + (long long)(c ^ n) * 4; a ^= (int)p ^ (int)(p >> 32); }
        }
        i = (i + step) & 2047;
    }
    if (g == 1.2345f || a == 12345) y[threadIdx.x] = g;
}
template <int W> void one(const char *name, const float *x, float *y)
{
    cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b);
    float best = 1e9; const int turns = 4000;
    for (int i = 0; i < 5; i++) {
        cudaEventRecord(a); wide<W><<<132 * 8, 256>>>(x, y, 3000, 7, turns); cudaEventRecord(b); cudaEventSynchronize(b);
        float t; cudaEventElapsedTime(&t, a, b); if (t < best) best = t;
    }
    printf("%-44s %.2f clocks of a scheduler each\n", name, best * 1.98e6 / (turns * 16.0 * 16));
}
int main()
{
    float *x, *y; cudaMalloc(&x, 1 << 20); cudaMalloc(&y, 1 << 20); cudaMemset(x, 0, 1 << 20);
    one<0>("ldg, fmnmx", x, y); one<1>("ldg, fadd", x, y); one<2>("clamps, lop3", x, y); one<3>("clamps, imad.wide, lop3", x, y);
    one<4>("clamps, imad.wide, ldg, fadd", x, y); one<5>("clamps, imad.wide, ldg, fmnmx", x, y); one<6>("one clamp, imad.wide, ldg, fmnmx", x, y);
    one<8>("clamps, offset of 32 bits, ldg, fmnmx", x, y); one<7>("clamps, lop3, fmnmx", x, y); one<9>("imad.wide, lop3", x, y);
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
