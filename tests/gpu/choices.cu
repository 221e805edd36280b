// Elements of an array that is in registers, chosen while the kernel runs: what a choice takes of a warp by itself
// (each index comes of the element before) and of an SM that has 64. A program of its own: nvcc -O3 -arch=sm_90 -o
// choices choices.cu && ./choices. What an H200 said stands in tests/bench/model/ASSEMBLER.md.
#include <cstdio>
#include <cuda_runtime.h>
enum { CHOICES = 4 };
enum { LOAD, STORE, BOTH };
template <int WORDS, int KIND, bool CHAIN, int COUNT> __global__ void choose(const int *in, int *out, long long *clocks)
{
    int t = threadIdx.x + blockIdx.x * blockDim.x, a[WORDS], sum = 0;
#pragma unroll
    for (int j = 0; j < WORDS; j++) a[j] = in[j * 32 + threadIdx.x % 32];
    int at = in[threadIdx.x % 32 + 1024], more = in[threadIdx.x % 32 + 2048];
    long long begin = clock64();
#pragma unroll
    for (int i = 0; i < COUNT; i++) {
        int place = (at + i * more) & (WORDS - 1);
        if (KIND != STORE) { int found = a[place]; sum += found; if (CHAIN) at = found; }
        if (KIND != LOAD) { a[place] = sum + i + more; if (CHAIN) at += a[0]; }
    }
    long long end = clock64();
    if (KIND != LOAD)
#pragma unroll
        for (int j = 0; j < WORDS; j++) sum = sum * 3 + a[j];
    out[t] = sum;
    if (t == 0) *clocks = end - begin;
}
static int *in, *out; static long long *clocks;
template <int WORDS, int KIND, int COUNT> static double many()
{
    cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b);
    float best = 1e9, ms;
    for (int i = 0; i < 7; i++) {
        cudaEventRecord(a); choose<WORDS, KIND, false, COUNT><<<132 * 256, 256>>>(in, out, clocks); cudaEventRecord(b);
        cudaEventSynchronize(b); cudaEventElapsedTime(&ms, a, b); best = ms < best ? ms : best;
    }
    return best * 1000 * 1980 / (256 * 8);
}
template <int WORDS, int KIND, int COUNT> static long long alone()
{
    long long best = 1 << 30, now;
    for (int i = 0; i < 5; i++) {
        choose<WORDS, KIND, true, COUNT><<<1, 32>>>(in, out, clocks);
        cudaMemcpy(&now, clocks, sizeof now, cudaMemcpyDeviceToHost); best = now < best ? now : best;
    }
    return best;
}
template <int WORDS, int KIND> static void row(const char *what)
{
    cudaFuncAttributes f; cudaFuncGetAttributes(&f, choose<WORDS, KIND, false, CHOICES>);
    cudaFuncAttributes g, h; cudaFuncGetAttributes(&g, choose<WORDS, KIND, false, CHOICES / 2>);
    cudaFuncGetAttributes(&h, choose<WORDS, KIND, true, CHOICES>);
    double m = (many<WORDS, KIND, CHOICES>() - many<WORDS, KIND, CHOICES / 2>()) / (CHOICES / 2);
    double s = (double)(alone<WORDS, KIND, CHOICES>() - alone<WORDS, KIND, CHOICES / 2>()) / (CHOICES / 2);
    printf("%s of %d words (%d bytes of stack): a warp alone %.1f clocks, an SM %.2f clocks a warp\n", what, WORDS,
           (int)(f.localSizeBytes + g.localSizeBytes + h.localSizeBytes), s, m);
}
int main()
{
    cudaMalloc(&in, 1 << 20); cudaMalloc(&out, 132 * 256 * 256 * 4); cudaMalloc(&clocks, 8); cudaMemset(in, 0, 1 << 20);
    row<4, LOAD>("loads"); row<8, LOAD>("loads"); row<16, LOAD>("loads");
    row<4, STORE>("stores"); row<8, STORE>("stores"); row<16, STORE>("stores"); row<32, STORE>("stores");
    row<8, BOTH>("both");
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
