// What a warp takes where its lanes part, in ifs and where they leave a loop one after the other; which pipes
// instructions share; and darts (monte_carlo) whose hits are counted in shared memory, by how many hit.
// A program of its own: nvcc -O3 -std=c++17 -arch=sm_90 -o parting parting.cu && ./parting; which pipe an
// instruction is executed by: ncu --metrics sm__inst_executed_pipe_alu.sum,sm__inst_executed_pipe_fmaheavy.sum,...
// What an H200 said stands in tests/bench/model/ASSEMBLER.md.
#include <cstdio>
#include <vector>
#include <algorithm>
#include <cuda_runtime.h>
typedef unsigned u;
// An if of 12 multiplications, whether lanes ^ round have the bits of `mask` as wanted; 2: with an else
template <int V> __global__ void ifs(u *out, long long *clocks, u mask, u want, int turns)
{
    u x = threadIdx.x, y = threadIdx.x * 7;
    __syncthreads();
    long long start = clock64();
#pragma unroll 1
    for (int j = 0; j < turns; j++) {
        if (V == 0 || ((threadIdx.x ^ j) & mask) == want) {
#pragma unroll
            for (int i = 0; i < 12; i++)
                asm volatile("mad.lo.u32 %0, %0, %0, 1013904223;" : "+r"(x));
        } else if (V == 2) {
#pragma unroll
            for (int i = 0; i < 12; i++)
                asm volatile("mad.lo.u32 %0, %0, %0, 12345;" : "+r"(y));
        }
        asm volatile("mad.lo.u32 %0, %0, %0, 777;" : "+r"(x));
    }
    long long end = clock64();
    if (threadIdx.x % 32 == 0) clocks[blockIdx.x * 32 + threadIdx.x / 32] = end - start;
    out[blockIdx.x * blockDim.x + threadIdx.x] = x + y;
}
// Lanes of which each stays `step` turns longer than the one before it
template <int V> __global__ void leave(u *out, long long *clocks, int base, int step)
{
    u x = threadIdx.x, lane = threadIdx.x % 32;
    int n = base + (int)lane * step;
    __syncthreads();
    long long start = clock64();
#pragma unroll 1
    for (int j = 0; j < n; j++) {
#pragma unroll
        for (int i = 0; i < 8; i++)
            asm volatile("mad.lo.u32 %0, %0, %0, 1013904223;" : "+r"(x));
    }
    if (V == 1) asm volatile("mad.lo.u32 %0, %0, %0, 777;" : "+r"(x));
    __syncwarp();
    long long end = clock64();
    if (threadIdx.x % 32 == 0) clocks[blockIdx.x * 32 + threadIdx.x / 32] = end - start;
    out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
// Pairs of instructions: as long as one of them where they have pipes of their own
template <int V> __global__ void __launch_bounds__(1024) pipes(u *out, long long *clocks, int turns, u k)
{
    u a[8];
    for (int i = 0; i < 8; i++) a[i] = threadIdx.x * (i + 3);
    __syncthreads();
    long long start = clock64();
#pragma unroll 1
    for (int j = 0; j < turns; j++) {
#pragma unroll
        for (int i = 0; i < 8; i++) {
            if (V == 0) asm volatile("lop3.b32 %0, %0, %1, %0, 0x6a;" : "+r"(a[i]) : "r"(k));            // LOP3 alone
            if (V == 1) { float t; asm volatile("cvt.rn.f32.u32 %0, %1;" : "=f"(t) : "r"(a[i])); a[i] = __float_as_uint(t); } // I2FP alone
            if (V == 2) { float t; asm volatile("lop3.b32 %0, %0, %1, %0, 0x6a;" : "+r"(a[i]) : "r"(k)); asm volatile("cvt.rn.f32.u32 %0, %1;" : "=f"(t) : "r"(a[(i + 4) & 7])); a[(i + 4) & 7] = __float_as_uint(t); }
            if (V == 3) { float t; asm volatile("mad.lo.u32 %0, %0, %0, %1;" : "+r"(a[i]) : "r"(k)); asm volatile("cvt.rn.f32.u32 %0, %1;" : "=f"(t) : "r"(a[(i + 4) & 7])); a[(i + 4) & 7] = __float_as_uint(t); }
            if (V == 4) asm volatile("add.u32 %0, %0, 12345;" : "+r"(a[i]));                                  // VIADD?
        }
    }
    long long end = clock64();
    u s = 0;
    for (int i = 0; i < 8; i++) s += a[i];
    if (threadIdx.x % 32 == 0) clocks[blockIdx.x * 32 + threadIdx.x / 32] = end - start;
    out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
// Four darts a turn; 1: each that hits is counted by an atomic of its own
__device__ __forceinline__ float draw(u *state) { *state = *state * 1664525u + 1013904223u; return (float)(*state >> 8) * (1.0f / 16777216.0f); }
template <int V> __global__ void darts(u *out, int n, float limit)
{
    __shared__ u count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    u state = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + 12345u, own = 0;
    for (int i = 0; i < n; i++) {
        float x = draw(&state), y = draw(&state);
        if (V == 0) own += x * x + y * y < limit;
        if (V == 1 && x * x + y * y < limit) atomicAdd(&count, 1);
    }
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = own + count;
}
static long long h[65536];
static double median(long long *clocks, int n) { cudaMemcpy(h, clocks, n * 8, cudaMemcpyDeviceToHost); std::sort(h, h + n); return (double)h[n / 2]; }
static double most(long long *clocks, int n) { cudaMemcpy(h, clocks, n * 8, cudaMemcpyDeviceToHost); std::sort(h, h + n); return (double)h[n - 1]; }
template <int V> void go_ifs(u *out, long long *c, u mask, u want, int threads)
{
    double x = 0; for (int i = 0; i < 3; i++) { cudaMemset(c, 0, 512); ifs<V><<<1, threads>>>(out, c, mask, want, 256); x = most(c, threads / 32); }
    printf("ifs v%d mask%u want%u t%d: %.2f clocks a round\n", V, mask, want, threads, x / 256);
}
template <int V> void go_leave(u *out, long long *c, int base, int step, int threads)
{
    double x = 0; for (int i = 0; i < 3; i++) { cudaMemset(c, 0, 512); leave<V><<<1, threads>>>(out, c, base, step); x = most(c, threads / 32); }
    printf("leave v%d base%d step%d t%d: %.0f clocks\n", V, base, step, threads, x);
}
template <int V> void go_pipes(u *out, long long *c, const char *what)
{
    double x = 0; for (int i = 0; i < 3; i++) { pipes<V><<<2 * 132, 1024>>>(out, c, 256, 12345); x = median(c, 264 * 32); }
    printf("pipes v%d %s: %.2f clocks of a scheduler a group\n", V, what, x / 256 / 8 / 16);
}
template <int V> void go_darts(u *out, float limit)
{
    cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b); float t[2];
    for (int s = 0; s < 2; s++) { std::vector<float> v; for (int i = 0; i < 15; i++) { float ms; cudaEventRecord(a); darts<V><<<1056, 256>>>(out, s ? 2048 : 256, limit); cudaEventRecord(b); cudaEventSynchronize(b); cudaEventElapsedTime(&ms, a, b); v.push_back(ms * 1000); } std::sort(v.begin(), v.end()); t[s] = v[7]; }
    printf("darts v%d %g: %.1f %.1f us, %.2f clocks of a scheduler for four darts of a warp\n", V, limit, t[0], t[1], (t[1] - t[0]) * 1980 / 16 / 448);
}
int main()
{
    u *out; long long *c; cudaMalloc(&out, 64 << 20); cudaMalloc(&c, 1 << 20); cudaMemset(c, 0, 1 << 20);
    for (int t = 32; t <= 1024; t *= (t == 32 ? 8 : 4)) {
        go_ifs<0>(out, c, 1, 0, t); go_ifs<1>(out, c, 0, 0, t); go_ifs<1>(out, c, 0, 1, t); go_ifs<1>(out, c, 1, 0, t); go_ifs<1>(out, c, 2, 0, t); go_ifs<1>(out, c, 3, 0, t);
        go_ifs<2>(out, c, 0, 0, t); go_ifs<2>(out, c, 1, 0, t);
        int steps[] = {0, 1, 2, 4};
        for (int s : steps) { go_leave<0>(out, c, 256 - 31 * s, s, t); go_leave<1>(out, c, 256 - 31 * s, s, t); }
    }
    go_pipes<0>(out, c, "lop3"); go_pipes<1>(out, c, "i2fp"); go_pipes<2>(out, c, "lop3 i2fp"); go_pipes<3>(out, c, "mad i2fp"); go_pipes<4>(out, c, "add imm");
    go_darts<0>(out, 1); go_darts<1>(out, 1); go_darts<1>(out, 4); go_darts<1>(out, -1); go_darts<1>(out, 0.05f);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
