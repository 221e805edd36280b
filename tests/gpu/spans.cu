// As waits.cu, for requests of more than one line: T requests of each warp for what no other warp reads, in one
// line (LINE), a word further so that they lie in two (TWO), or in words of four lines that share their banks
// (FOUR). And windows: each thread reads T neighbours, or T words of its warp's line. Loads of one address twice
// would not do: ptxas makes one of them, asm volatile or not.
// A program of its own: nvcc -O3 -std=c++17 -arch=sm_90 -o spans spans.cu && ./spans. What an H200 said stands in
// tests/bench/model/MEMORY.md.
#include <cstdio>
#include <cuda_runtime.h>
enum { LINE, TWO, FOUR };
static const char *const names[] = {"line", "two", "four"};
template <int P> __host__ __device__ constexpr unsigned cell_bytes()
{
    return P == LINE ? 128 : P == TWO ? 256 : 512;
}
template <int P> __device__ __forceinline__ unsigned offset(unsigned lane, int t)
{
    if (P == LINE) return (lane + t) % 32 * 4;
    if (P == TWO) return (lane + 1 + t) * 4;
    return lane / 8 * 128 + (lane + t) % 8 * 4;
}
template <int P, int T, int U> __global__ void __launch_bounds__(256, 8)
waits(const char *in, unsigned *out, unsigned cells, unsigned fold)
{
    unsigned lane = threadIdx.x % 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    unsigned warps = gridDim.x * blockDim.x / 32, sum = 0;
    for (unsigned l = warp; l + (U - 1) * warps < cells; l += U * warps) {
        unsigned v[U][T];
#pragma unroll
        for (int u = 0; u < U; u++) {
            unsigned c = l + u * warps;
            while (c >= fold)
                c -= fold;
#pragma unroll
            for (int t = 0; t < T; t++) {
                const char *p = in + (size_t)c * cell_bytes<P>() + offset<P>(lane, t);
                asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v[u][t]) : "l"(p));
            }
        }
#pragma unroll
        for (int u = 0; u < U; u++)
#pragma unroll
            for (int t = 0; t < T; t++)
                sum += v[u][t];
    }
    if (sum == 0x12345) out[threadIdx.x] = sum;
}
template <int T, bool IN_LINE> __global__ void window(const float *in, float *out, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    float greatest = 0;
#pragma unroll
    for (int t = 0; t < T; t++) {
        float v;
        int at = IN_LINE ? (i & ~31) + ((i + t) & 31) : min(max(i + t - T / 2, 0), n - 1);
        asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(v) : "l"(in + at));
        greatest = fmaxf(greatest, v);
    }
    out[i] = greatest;
}
char *in, *out;
cudaEvent_t a, b;
template <class F> float best_us(F launch)
{
    float best = 1e9;
    for (int i = 0; i < 5; i++) {
        cudaMemsetAsync(out, 0, 128 << 20);
        cudaEventRecord(a);
        launch();
        cudaEventRecord(b); cudaEventSynchronize(b);
        float ms; cudaEventElapsedTime(&ms, a, b); if (ms < best) best = ms;
    }
    return best * 1000;
}
template <int P, int T, int U> void go()
{
    unsigned cells = (400u << 20) / cell_bytes<P>();
    float us = best_us([&] { waits<P, T, U><<<132 * 8, 256>>>(in, (unsigned *)out, cells, cells); });
    double clocks = (us - 3.9) * 1980 / (cells / 132.0);
    printf("%s T=%d U=%d: %.1f us, %.2f clocks a warp's piece\n", names[P], T, U, us, clocks);
}
template <int P> void all() { go<P, 1, 2>(); go<P, 2, 2>(); go<P, 4, 2>(); go<P, 8, 2>(); go<P, 8, 1>(); }
template <int T> void windows()
{
    int n = 1 << 23;
    const float *x = (const float *)in;
    float apart = best_us([&] { window<T, false><<<n / 256, 256>>>(x, (float *)out, n); });
    float line = best_us([&] { window<T, true><<<n / 256, 256>>>(x, (float *)out, n); });
    printf("window T=%d: %.1f us, in its line %.1f\n", T, apart, line);
}
int main()
{
    cudaMalloc(&in, 512 << 20); cudaMalloc(&out, 256 << 20); cudaMemset(in, 0, 512 << 20);
    cudaEventCreate(&a); cudaEventCreate(&b);
    windows<1>(); windows<5>(); windows<9>(); windows<17>(); windows<33>();
    all<LINE>(); all<TWO>(); all<FOUR>();
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
