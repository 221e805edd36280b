// Atomics that meet: lanes that compare and swap until they succeed, with so many lanes a word and warps an SM;
// sums and other atomics in 256 words from few SMs and many; parts of sectors.
// A program of its own: nvcc -O3 -std=c++17 -arch=sm_90 -o swaps swaps.cu && ./swaps. What an H200 said stands in
// tests/bench/model/MEMORY.md.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <algorithm>
#include <functional>
#include <cuda_runtime.h>
typedef unsigned u;
static double timed(std::function<void()> prepare, std::function<void()> go, int reps)
{
    cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b);
    std::vector<float> t;
    for (int i = 0; i < reps; i++) {
        prepare();
        cudaEventRecord(a); go(); cudaEventRecord(b); cudaEventSynchronize(b);
        float ms; cudaEventElapsedTime(&ms, a, b); t.push_back(ms * 1000);
    }
    cudaEventDestroy(a); cudaEventDestroy(b);
    std::sort(t.begin(), t.end());
    return t[t.size() / 2];
}
__device__ u mix(u x) { x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu; x ^= x >> 16; return x; }
// Compare-and-swap loops; who: one lane of so many
template <int LOAD> __global__ void cas(u *data, u *tries, u words, u step, int rounds, u who)
{
    u first = blockIdx.x * blockDim.x + threadIdx.x, count = 0;
    if (threadIdx.x % who == 0)
        for (int r = 0; r < rounds; r++) {
            u *p = data + mix(first * 31 + r) % words * step;
            u seen = LOAD ? *(volatile u *)p : 0, before;
            do { before = seen; seen = atomicCAS(p, before, before + 1); count++; } while (seen != before);
        }
    tries[first] = count;
}
template <int LOAD> void go_cas(u *data, u *out, int blocks, int threads, u words, u step, int rounds, u who, int reps = 5)
{
    double us = timed([&] { cudaMemset(data, 0, 64 << 20); }, [&] { cas<LOAD><<<blocks, threads>>>(data, out, words, step, rounds, who); }, reps);
    std::vector<u> h(blocks * threads);
    cudaMemcpy(h.data(), out, h.size() * 4, cudaMemcpyDeviceToHost);
    double sum = 0; for (u x : h) sum += x;
    double n = (double)blocks * threads / who * rounds;
    printf("cas load%d %4dx%4d w%u step%u r%d who%u: %.1f us, tries %.0f = %.1f a success, %.3f clocks a try\n", LOAD, blocks, threads, words, step, rounds, who, us, sum, sum / n, (us - 3.9) * 1980 / sum);
}
// 0: sums, 1: sums whose old value is wanted, 2: compare-and-swap in vain, 3: exchange
template <int OP> __global__ void rate(u *data, u *out, u words, u step, int rounds, u who)
{
    u first = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    if (threadIdx.x % who == 0)
#pragma unroll 1
        for (int r = 0; r < rounds; r++) {
            u *p = data + mix(first * 31 + r) % words * step;
            if (OP == 0) atomicAdd(p, first);
            if (OP == 1) sum += atomicAdd(p, first);
            if (OP == 2) sum += atomicCAS(p, 0xdeadbeefu, first);
            if (OP == 3) sum += atomicExch(p, first);
        }
    out[first] = sum;
}
template <int OP> void go_rate(u *data, u *out, int blocks, int threads, u words, u step, int rounds, u who)
{
    double us = timed([&] { cudaMemset(data, 0, 64 << 20); }, [&] { rate<OP><<<blocks, threads>>>(data, out, words, step, rounds, who); }, 7);
    double n = (double)blocks * threads / who * rounds;
    printf("rate op%d %4dx%4d w%u step%u r%d who%u: %.1f us, %.3f clocks a lane, %.3f a lane and SM\n", OP, blocks, threads, words, step, rounds, who, us, (us - 3.9) * 1980 / n, (us - 3.9) * 1980 / n * (blocks < 132 ? blocks : 132));
}
// Of each sector of a line, the first k words
__global__ void part(u *data, u k, int rounds)
{
    u lane = threadIdx.x % 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (lane % 8 < k)
#pragma unroll 1
        for (int r = 0; r < rounds; r++)
            atomicAdd(data + (warp + r) % 8 * 32 + lane, warp);
}
int main()
{
    u *data, *out;
    cudaMalloc(&data, 64 << 20);
    cudaMalloc(&out, 64 << 20);
    for (u k = 1; k <= 8; k++) {
        double us = timed([&] {}, [&] { part<<<132, 256>>>(data, k, 128); }, 7);
        printf("part %u of 8 words: %.1f us, %.3f clocks a sector and slice\n", k, us, (us - 3.9) * 1980 / (132 * 8 * 128 * 4.0) * 2);
    }
    int bs[] = {1, 2, 4, 8, 16, 33, 66, 132};
    for (int b : bs) {
        go_rate<0>(data, out, b, 1024, 4 << 20, 1, 64, 1);
        go_rate<0>(data, out, b, 1024, 256, 1, 64, 1);
        go_rate<1>(data, out, b, 1024, 4 << 20, 1, 64, 1);
    }
    go_rate<0>(data, out, 132, 256, 1, 1, 128, 32);
    go_rate<1>(data, out, 132, 256, 1, 1, 128, 32);
    go_rate<2>(data, out, 132, 256, 1, 1, 128, 32);
    go_rate<3>(data, out, 132, 256, 1, 1, 128, 32);
    go_rate<0>(data, out, 264, 1024, 256, 1, 16, 1);
    go_rate<1>(data, out, 264, 1024, 256, 1, 16, 1);
    go_rate<2>(data, out, 264, 1024, 256, 1, 16, 1);
    go_rate<3>(data, out, 264, 1024, 256, 1, 16, 1);
    go_rate<2>(data, out, 264, 1024, 256, 1, 16, 4);
    go_rate<2>(data, out, 264, 1024, 1, 1, 4, 1);
    go_rate<2>(data, out, 264, 1024, 4 << 20, 1, 16, 1);
    go_cas<0>(data, out, 1, 32, 1, 1, 1, 1);
    go_cas<0>(data, out, 1, 32, 1, 1, 64, 1);
    go_cas<1>(data, out, 1, 32, 1, 1, 64, 1);
    go_cas<0>(data, out, 1, 256, 256, 1, 16, 1);
    int cb[] = {16, 64, 256, 1024, 2112};
    for (int b : cb) go_cas<0>(data, out, b, 256, 256, 1, 1, 1, b > 1024 ? 3 : 5);
    go_cas<1>(data, out, 256, 256, 256, 1, 1, 1);
    go_cas<1>(data, out, 256, 256, 256, 1, 4, 1);
    go_cas<0>(data, out, 256, 256, 256, 1, 4, 1);
    go_cas<1>(data, out, 256, 256, 256, 64, 1, 1);
    go_cas<1>(data, out, 256, 256, 4096, 1, 4, 1);
    go_cas<1>(data, out, 1056, 256, 4096, 1, 4, 1);
    go_cas<1>(data, out, 1056, 256, 65536, 1, 4, 1);
    go_cas<1>(data, out, 1056, 256, 1 << 20, 1, 4, 1);
    go_cas<1>(data, out, 264, 256, 1, 1, 1, 256);
    go_cas<1>(data, out, 1056, 256, 1, 1, 1, 256);
    go_cas<1>(data, out, 4224, 256, 1, 1, 1, 256);
    go_cas<1>(data, out, 132, 256, 1, 1, 1, 32);
    go_cas<1>(data, out, 1056, 256, 1, 1, 1, 32);
    go_cas<1>(data, out, 132, 32, 1, 1, 64, 32);
    go_cas<1>(data, out, 8, 32, 1, 1, 64, 32);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
