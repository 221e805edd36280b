// Which stores of a warp to the same sectors go to the second-level cache together. A group is eight stores of
// 4 bytes a lane: a word after the other of `lanes` sectors, side by side or a row apart; `gap` dependent
// multiplications make each word. So many warps an SM store groups in turn. The assembler moves the stores of
// an unrolled turn (four of them; two with 64 multiplications, one with 256) behind what makes their words.
// A program of its own: nvcc -O3 -arch=sm_90 -o together together.cu && ./together, or under Nsight Compute with
// ONCE=1. What an H200 said stands in tests/bench/model/MEMORY.md.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
enum { BYTES = 16 << 20 };
template <int GAP> __device__ static unsigned spend(unsigned a)
{
#pragma unroll
    for (int i = 0; i < GAP; i++) asm volatile("mad.lo.u32 %0, %0, %0, 1;" : "+r"(a));
    return a;
}
template <int GAP> __global__ void groups(char *buf, int total, int lanes, int row, int words)
{
    unsigned lane = threadIdx.x % 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    unsigned warps = gridDim.x * blockDim.x / 32, a = warp;
    unsigned span = row ? row / 32 : 1; /* groups in the same rows */
    for (unsigned g = warp; g < total; g += warps) {
        unsigned sector = row ? (g / span * lanes + lane) * span + g % span : g * lanes + lane;
        char *p = buf + (size_t)sector * 32 % BYTES;
        for (int w = 0; w < words; w++) {
            if (lane < lanes) asm volatile("st.global.u32 [%0], %1;" ::"l"(p + 4 * w), "r"(a) : "memory");
            a = spend<GAP>(a);
        }
    }
    if (a == 12345) buf[0] = 1;
}
template <int GAP> static void run(char *buf, int warps, int lanes, int row, int words)
{
    int total = BYTES / 32 / lanes * 4;
    if (GAP >= 64) total /= 4;
    int threads = warps < 32 ? warps * 32 : 1024, blocks = 132 * (warps < 32 ? 1 : warps / 32);
    cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b);
    float best = 1e9, ms;
    for (int i = 0; i < (getenv("ONCE") ? 1 : 5); i++) {
        cudaEventRecord(a);
        groups<GAP><<<blocks, threads>>>(buf, total, lanes, row, words);
        cudaEventRecord(b); cudaEventSynchronize(b); cudaEventElapsedTime(&ms, a, b);
        if (ms < best) best = ms;
    }
    printf("gap %4d warps %2d lanes %2d row %5d words %d: stores %d sectors %d us %.2f\n", GAP, warps, lanes, row, words, total * words,
           total * words * lanes, best * 1000);
}
template <int GAP> static void all(char *buf)
{
    static const int warps[] = {1, 4, 16, 24, 64};
    for (int w : warps)
        for (int layout = 0; layout < 3; layout++)
            run<GAP>(buf, w, layout == 1 ? 8 : 32, layout == 2 ? 4096 : 0, 8);
}
int main()
{
    char *buf; cudaMalloc(&buf, BYTES + 4096);
    all<0>(buf); all<4>(buf); all<16>(buf); all<64>(buf); all<256>(buf);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
