// Stores of a warp one right behind the other, to the same sectors in part: which go to the L2 together. Lanes are
// `stride` bytes apart and store `count` times `width` bytes side by side.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
enum { BYTES = 16 << 20 };
template <int WIDTH> __device__ static void put(char *p, unsigned v)
{
    if (WIDTH == 4) asm volatile("st.global.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
    if (WIDTH == 8) asm volatile("st.global.v2.u32 [%0], {%1,%1};" ::"l"(p), "r"(v) : "memory");
    if (WIDTH == 16) asm volatile("st.global.v4.u32 [%0], {%1,%1,%1,%1};" ::"l"(p), "r"(v) : "memory");
}
template <int WIDTH, int STRIDE> __global__ void records(char *buf, int passes, int gap)
{
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x, a = t;
    for (int pass = 0; pass < passes; pass++) {
        char *p = buf + ((size_t)pass * gridDim.x * blockDim.x + t) * STRIDE % BYTES;
        for (int i = 0; i < gap; i++) asm volatile("mad.lo.u32 %0, %0, %0, 1;" : "+r"(a));
#pragma unroll
        for (int at = 0; at < STRIDE; at += WIDTH) put<WIDTH>(p + at, a);
    }
}
template <int WIDTH, int STRIDE> static void run(char *buf, int warps, int gap)
{
    int threads = warps < 8 ? warps * 32 : 256, blocks = 132 * (warps < 8 ? 1 : warps / 8);
    int passes = 2 * BYTES / STRIDE / (threads * blocks);
    if (warps < 8) passes /= 4;
    cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b);
    float best = 1e9, ms;
    for (int i = 0; i < (getenv("ONCE") ? 1 : 5); i++) {
        cudaEventRecord(a); records<WIDTH, STRIDE><<<blocks, threads>>>(buf, passes, gap); cudaEventRecord(b);
        cudaEventSynchronize(b); cudaEventElapsedTime(&ms, a, b); best = ms < best ? ms : best;
    }
    double groups = (double)blocks * threads / 32 * passes;
    printf("width %d stride %d warps %d gap %d groups %.0f us %.2f clocks of an SM a group %.2f\n", WIDTH, STRIDE, warps, gap,
           groups, best * 1000, (best * 1000 - 3) * 1980 / (groups / 132));
}
template <int WIDTH, int STRIDE> static void all(char *buf)
{
    static const int warps[] = {1, 8, 64};
    for (int w : warps) run<WIDTH, STRIDE>(buf, w, 0);
    run<WIDTH, STRIDE>(buf, 64, 400);
}
int main()
{
    char *buf; cudaMalloc(&buf, BYTES + 4096); cudaMemset(buf, 0, BYTES);
    all<4, 16>(buf); all<4, 32>(buf); all<4, 64>(buf); all<4, 128>(buf);
    all<8, 32>(buf); all<8, 64>(buf); all<8, 128>(buf);
    all<16, 32>(buf); all<16, 64>(buf); all<16, 128>(buf);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
