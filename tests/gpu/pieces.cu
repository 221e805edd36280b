// As waits.cu and spans.cu, with nothing but a load and an addition for each request, so that no pipe but the L1's
// can be what limits: T requests of each warp for what no other warp reads, U such pieces in hand; windows of
// neighbours, clamped as a kernel would or not; what one warp pays for guards, loops and predicates; issue rates
// (those of rate() are of the older of two blocks, which the schedulers prefer: twice the clocks printed).
// A program of its own: nvcc -O3 -std=c++17 -arch=sm_90 -o pieces pieces.cu && ./pieces. What an H200 said stands in
// tests/bench/model/ASSEMBLER.md.
#include <cstdio>
#include <cuda_runtime.h>
char *in, *out; cudaEvent_t a, b;
template <class F> float best_us(F launch)
{
    float t[7];
    for (int i = 0; i < 7; i++) {
        cudaMemsetAsync(out, 0, 128 << 20);
        cudaEventRecord(a); launch(); cudaEventRecord(b); cudaEventSynchronize(b);
        cudaEventElapsedTime(&t[i], a, b);
    }
    for (int i = 0; i < 7; i++) for (int j = i + 1; j < 7; j++) if (t[j] < t[i]) { float x = t[i]; t[i] = t[j]; t[j] = x; }
    return t[3] * 1000;
}
/* PLACE 0: in a line (two lanes a word), 1: in two lines, 2: broadcast words, 3: in a line, a word a lane, of T lines one after the other */
template <int PLACE, int T, int U> __global__ void __launch_bounds__(256, 8) pieces(const char *in, float *out, unsigned count, unsigned mask)
{
    unsigned lane = threadIdx.x % 32, warp = (blockIdx.x * 256 + threadIdx.x) / 32, warps = gridDim.x * 8;
    const char *own = in + (PLACE == 0 ? lane / 2 * 4 : PLACE == 2 ? 0 : lane * 4);
    float sum = 0;
#pragma unroll 1
    for (unsigned l = warp; l + (U - 1) * warps < count; l += U * warps) {
        float v[U][T];
#pragma unroll
        for (int u = 0; u < U; u++) {
            const char *p = own + (unsigned long long)((l + u * warps) & mask) * (PLACE == 3 ? 128 * T : PLACE == 1 ? 256 : 128);
#pragma unroll
            for (int t = 0; t < T; t++)
                asm volatile("ld.global.f32 %0, [%1];" : "=f"(v[u][t]) : "l"(p + t * (PLACE == 3 ? 128 : 4)));
        }
#pragma unroll
        for (int u = 0; u < U; u++)
#pragma unroll
            for (int t = 0; t < T; t++) sum += v[u][t];
    }
    if (sum == 1.2345f) out[threadIdx.x] = sum;
}
template <int PLACE, int T, int U> void piece()
{
    const char *names[] = {"line", "two", "word", "lines"};
    const unsigned bytes = PLACE == 3 ? 128 * T : PLACE == 1 ? 256 : 128;
    printf("%-5s T=%2d U=%d:", names[PLACE], T, U);
    unsigned masks[3] = {(16384 / bytes) - 1, ((16u << 20) / bytes) - 1, ((512u << 20) / bytes) - 1};
    for (int w = 0; w < 3; w++) {
        unsigned count = (w == 2 ? 512u << 20 : 256u << 20) / bytes;
        if (count > 1u << 21) count = 1u << 21;
        float us = best_us([&] { pieces<PLACE, T, U><<<132 * 8, 256>>>(in, (float *)out, count, masks[w]); });
        printf("  %s %7.2f clk/piece %.2f/req", w == 0 ? "l1" : w == 1 ? "l2" : "dram", (us - 3.9) * 1980 / (count / 132.0), (us - 3.9) * 1980 / (count / 132.0) / T);
    }
    printf("\n");
}
template <int PLACE> void all() { piece<PLACE, 1, 2>(); piece<PLACE, 2, 2>(); piece<PLACE, 4, 2>(); piece<PLACE, 8, 2>(); piece<PLACE, 8, 1>(); piece<PLACE, 16, 1>(); }
/* windows of neighbours: CLAMP as a kernel would write it, else by displacement */
template <int T, int CLAMP> __global__ void window(const float *x, float *y, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    float g = 0;
#pragma unroll
    for (int t = 0; t < T; t++) {
        float v = CLAMP == 1 ? x[min(max(i + t - T / 2, 0), n - 1)] : x[i + t];
        g = CLAMP == 2 ? g + v : fmaxf(g, v);
    }
    y[i] = g;
}
template <int T> void windows()
{
    int n = 1 << 23; const float *x = (const float *)in;
    float c = best_us([&] { window<T, 1><<<n / 256, 256>>>(x, (float *)out, n); });
    float m = best_us([&] { window<T, 0><<<n / 256, 256>>>(x, (float *)out, n); });
    float s = best_us([&] { window<T, 2><<<n / 256, 256>>>(x, (float *)out, n); });
    printf("window T=%d: clamped %.1f us, max %.1f, sum %.1f\n", T, c, m, s);
}
/* issue rates: OPS independent chains */
template <int OP> __global__ void __launch_bounds__(1024, 2) rate(int *out, long long *cycles, int n, int k)
{
    int v[8]; unsigned long long w[4]; float f[8];
    for (int i = 0; i < 8; i++) { v[i] = threadIdx.x * 7 + i; f[i] = threadIdx.x + i; }
    for (int i = 0; i < 4; i++) w[i] = threadIdx.x + i;
    __syncthreads();
    long long start = clock64();
#pragma unroll 1
    for (int j = 0; j < 64; j++)
#pragma unroll
        for (int u = 0; u < 4; u++)
#pragma unroll
            for (int i = 0; i < 8; i++) {
                if (OP == 0) v[i] = max(v[i] + k, n);
                if (OP == 1) v[i] = (u & 1) ? min(v[i], n + j) : max(v[i], k);
                if (OP == 2) f[i] = (u & 1) ? fminf(f[i], __int_as_float(n)) : fmaxf(f[i], __int_as_float(k));
                if (OP == 3) asm volatile("mad.wide.s32 %0, %1, %2, %0;" : "+l"(w[i & 3]) : "r"(k), "r"(n));
                if (OP == 4) asm volatile("lop3.b32 %0, %0, %1, %2, 0x6a;" : "+r"(v[i]) : "r"(k), "r"(n));
                if (OP == 5) asm volatile("{.reg .pred p; setp.lt.s32 p, %0, %1; selp.s32 %0, %1, %0, p;}" : "+r"(v[i]) : "r"(k));
                if (OP == 6) asm volatile("mad.lo.s32 %0, %0, %1, %2;" : "+r"(v[i]) : "r"(k), "r"(n));
                if (OP == 7) asm volatile("add.s32 %0, %0, %1;" : "+r"(v[i]) : "r"(k));
            }
    __syncthreads();
    if (threadIdx.x == 0) cycles[blockIdx.x] = clock64() - start;
    int s = 0; for (int i = 0; i < 8; i++) s += v[i] + (int)f[i]; for (int i = 0; i < 4; i++) s += (int)w[i];
    out[blockIdx.x * 1024 + threadIdx.x] = s;
}
template <int OP> void rates(const char *name)
{
    rate<OP><<<264, 1024>>>((int *)out, (long long *)(out + (64 << 20)), 12345678, 17);
    long long c; cudaMemcpy(&c, out + (64 << 20), 8, cudaMemcpyDeviceToHost);
    printf("rate %s: %.3f clocks of an SM a warp's operation\n", name, (double)c / (64 * 4 * 8 * 64));
}
/* one warp: what a guard, a loop's end, a special register, a parameter cost */
template <int WHAT> __global__ void alone(int *out, long long *cycles, int n, int k, int m, const int *zero)
{
    int x = threadIdx.x + zero[0], y = 0;
    long long start = clock64();
    if (WHAT == 0) { /* 32 additions */
#pragma unroll
        for (int i = 0; i < 32; i++) asm volatile("mad.lo.s32 %0, %0, %1, %2;" : "+r"(x) : "r"(k), "r"(m));
    }
    if (WHAT == 1) { /* and a guard behind each, never true */
#pragma unroll
        for (int i = 0; i < 32; i++)
            asm volatile("{.reg .pred p; mad.lo.s32 %0, %0, %1, %2; setp.gt.s32 p, %0, %3; @p exit;}" : "+r"(x) : "r"(k), "r"(m), "r"(n));
    }
    if (WHAT == 2) { /* a loop of one addition */
#pragma unroll 1
        for (int i = 0; i < 32 * k; i++) asm volatile("mad.lo.s32 %0, %0, %1, %2;" : "+r"(x) : "r"(k), "r"(m));
    }
    if (WHAT == 3) { /* special registers, one after the other */
#pragma unroll
        for (int i = 0; i < 32; i++)
            asm volatile("{.reg .u32 t; mov.u32 t, %%tid.x; mad.lo.s32 %0, %0, t, %1;}" : "+r"(x) : "r"(m));
    }
    if (WHAT == 4) {
#pragma unroll
        for (int i = 0; i < 32; i++)
            asm volatile("{.reg .u32 t; mov.u32 t, %%laneid; mad.lo.s32 %0, %0, t, %1; bar.warp.sync -1;}" : "+r"(x) : "r"(m));
    }
    if (WHAT == 5) { /* a guard that depends on the addition before, which others skip: predicated store */
#pragma unroll
        for (int i = 0; i < 32; i++)
            asm volatile("{.reg .pred p; mad.lo.s32 %0, %0, %1, %2; setp.gt.s32 p, %0, %3; @p st.global.u32 [%4], %0; }" : "+r"(x) : "r"(k), "r"(m), "r"(n), "l"(out) : "memory");
    }
    if (WHAT == 6) { /* predicated addition */
#pragma unroll
        for (int i = 0; i < 32; i++)
            asm volatile("{.reg .pred p; setp.gt.s32 p, %0, %3; @!p mad.lo.s32 %0, %0, %1, %2;}" : "+r"(x) : "r"(k), "r"(m), "r"(n));
    }
    asm volatile("" ::"r"(x), "r"(y));
    if (x == 123456789) out[1] = 1;
    long long end = clock64();
    out[threadIdx.x + 2] = x + y;
    if (threadIdx.x == 0) cycles[0] = end - start;
}
template <int W> void one(const char *name)
{
    cudaMemset(out, 0, 4096);
    for (int r = 0; r < 2; r++) alone<W><<<1, 32>>>((int *)(out + 4096), (long long *)(out + (64 << 20)), 0x7fffffff, 1, 0, (int *)out);
    long long c; cudaMemcpy(&c, out + (64 << 20), 8, cudaMemcpyDeviceToHost);
    printf("alone %s: %.2f clocks each of 32\n", name, c / 32.0);
}
int main()
{
    cudaMalloc(&in, (512 << 20) + 65536); cudaMalloc(&out, 256 << 20); cudaMemset(in, 0, (512 << 20) + 65536);
    cudaEventCreate(&a); cudaEventCreate(&b);
    for (int i = 0; i < 200; i++) rate<6><<<264, 1024>>>((int *)out, (long long *)(out + (64 << 20)), 1, 1);
    one<0>("mad"); one<1>("mad, guard"); one<2>("mad in a loop"); one<3>("mad of tid"); one<4>("mad of laneid"); one<5>("mad, predicated store"); one<6>("predicated mad");
    rates<0>("viaddmnmx"); rates<1>("vimnmx"); rates<2>("fmnmx"); rates<3>("mad.wide"); rates<4>("lop3"); rates<5>("setp+selp"); rates<6>("imad"); rates<7>("iadd");
    windows<5>(); windows<9>(); windows<17>(); windows<33>();
    all<0>(); all<1>(); all<2>(); piece<3, 1, 2>(); piece<3, 4, 1>(); piece<3, 8, 1>(); piece<3, 8, 2>();
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
