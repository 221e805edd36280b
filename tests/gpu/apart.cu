// Where compact/shared_atomics takes longer than compact/block_atomics: both, taken apart; what a warp's ifs take
// where its lanes part, and chains of atomics and of what the assembler puts around them.
// A program of its own: nvcc -O3 -std=c++17 -arch=sm_90 -o apart apart.cu && ./apart. What an H200 said stands in
// tests/bench/model/MEMORY.md.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <algorithm>
#include <functional>
#include <cuda_runtime.h>
typedef unsigned u;
static void *flushbuf; 
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
// An if of 24 multiplications in a loop of 256, whether lanes ^ round have the bits of `mask` as wanted; 2: with an
// else, 3: with an atomic
template <int V> __global__ void ifs(u *out, long long *clocks, u mask, u want)
{
    __shared__ u s[1024];
    u x = threadIdx.x, y = threadIdx.x * 7;
    s[threadIdx.x] = 0;
    __syncthreads();
    long long start = clock64();
#pragma unroll 1
    for (u j = 0; j < 256; j++) {
        if (V == 0 || ((threadIdx.x ^ j) & mask) == want) {
#pragma unroll
            for (int i = 0; i < 24; i++)
                asm volatile("mad.lo.u32 %0, %0, %0, 1013904223;" : "+r"(x));
            if (V == 3) atomicAdd(&s[0], 1u);
        } else if (V == 2) {
#pragma unroll
            for (int i = 0; i < 24; i++)
                asm volatile("mad.lo.u32 %0, %0, %0, 12345;" : "+r"(y));
        }
        asm volatile("mad.lo.u32 %0, %0, %0, 777;" : "+r"(x));
    }
    long long end = clock64();
    if (threadIdx.x == 0) *clocks = end - start;
    out[threadIdx.x] = x + y + s[threadIdx.x];
}
template <int V> void go_ifs(u *out, long long *clocks, u mask, u want, int threads)
{
    long long h = 0;
    for (int i = 0; i < 3; i++) { ifs<V><<<1, threads>>>(out, clocks, mask, want); cudaMemcpy(&h, clocks, 8, cudaMemcpyDeviceToHost); }
    printf("ifs v%d mask%u want%u t%d: %.1f clocks a round\n", V, mask, want, threads, h / 256.0);
}
// Latencies, by one thread
template <int V> __global__ void chain(u *data, u *out, long long *clocks)
{
    u x = 0, y = 0; __shared__ u s[2]; s[0] = s[1] = 0;
    __syncthreads();
    for (int w = 0; w < 2; w++) {
    long long start = clock64();
#pragma unroll 4
    for (int i = 0; i < 64; i++) {
        if (V == 0) x = atomicAdd(data + (x & 1), 2u);
        if (V == 1) x = atomicCAS(data + (x & 1), x, x + 2u);
        if (V == 2) asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(x) : "l"(data + (x & 1)) : "memory");
        if (V == 3) x = atomicAdd(s + (x & 1), 2u);
        if (V == 5) { x = __popc(x) + i; }
        if (V == 6) { x += __ffs(x | 0x80000000u); }
        if (V == 7) { x += __ballot_sync(~0u, x & 1); }
        if (V == 8) x = atomicExch(data + (x & 1), 2u);
    }
    if (w) *clocks = clock64() - start;
    }
    out[threadIdx.x] = x + y + s[0];
}
template <int V> void go_chain(u *data, u *out, long long *clocks, const char *what)
{
    long long h = 0;
    cudaMemset(data, 0, 64);
    for (int i = 0; i < 3; i++) { chain<V><<<1, V == 7 ? 32 : 1>>>(data, out, clocks); cudaMemcpy(&h, clocks, 8, cudaMemcpyDeviceToHost); }
    printf("chain %s: %.1f clocks\n", what, h / 64.0);
}
// Compaction
template <int V> __global__ void compact(const u *in, u *out, u *count, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (V >= 30) count += blockIdx.x % 64 * 1024; // counters of their own
    if (V % 30 == 0) { // block_atomics
        __shared__ u starts[8], first;
        u value = i < n ? in[i] : 0;
        u kept = __ballot_sync(~0u, value & 1);
        if (lane == 0) starts[warp] = __popc(kept);
        __syncthreads();
        if (threadIdx.x == 0) {
            u sum = 0;
            for (int w = 0; w < 8; w++) { u own = starts[w]; starts[w] = sum; sum += own; }
            first = atomicAdd(count, sum);
        }
        __syncthreads();
        if (value & 1) out[first + starts[warp] + __popc(kept & ((1u << lane) - 1))] = value;
    }
    if (V % 30 == 1) { // shared_atomics
        __shared__ u own, first;
        if (threadIdx.x == 0) own = 0;
        __syncthreads();
        u value = i < n ? in[i] : 0, place = 0;
        if (value & 1) place = atomicAdd(&own, 1u);
        __syncthreads();
        if (threadIdx.x == 0) first = atomicAdd(count, own);
        __syncthreads();
        if (value & 1) out[first + place] = value;
    }
    if (V % 30 == 2) { // no atomics in shared memory
        __shared__ u own, first;
        if (threadIdx.x == 0) own = 128;
        __syncthreads();
        u value = i < n ? in[i] : 0;
        u kept = __ballot_sync(~0u, value & 1), place = __popc(kept & ((1u << lane) - 1)) + warp * 16;
        __syncthreads();
        if (threadIdx.x == 0) first = atomicAdd(count, own);
        __syncthreads();
        if (value & 1) out[first + place] = value;
    }
    if (V % 30 == 3) { // nor the first barrier
        __shared__ u own, first;
        if (threadIdx.x == 0) own = 128;
        u value = i < n ? in[i] : 0;
        u kept = __ballot_sync(~0u, value & 1), place = __popc(kept & ((1u << lane) - 1)) + warp * 16;
        __syncthreads();
        if (threadIdx.x == 0) first = atomicAdd(count, own);
        __syncthreads();
        if (value & 1) out[first + place] = value;
    }
    if (V % 30 == 4) { // nor the one in global memory
        __shared__ u own, first;
        if (threadIdx.x == 0) own = 128;
        u value = i < n ? in[i] : 0;
        u kept = __ballot_sync(~0u, value & 1), place = __popc(kept & ((1u << lane) - 1)) + warp * 16;
        __syncthreads();
        if (threadIdx.x == 0) first = own * blockIdx.x;
        __syncthreads();
        if (value & 1) out[first + place] = value;
    }
    if (V % 30 == 5) { // no barriers
        u value = i < n ? in[i] : 0;
        u kept = __ballot_sync(~0u, value & 1), place = __popc(kept & ((1u << lane) - 1)) + warp * 16;
        if (value & 1) out[blockIdx.x * 128 + place] = value;
    }
    if (V % 30 == 6) { // block_atomics without the sums
        __shared__ u starts[8], first;
        u value = i < n ? in[i] : 0;
        u kept = __ballot_sync(~0u, value & 1);
        if (lane == 0) starts[warp] = __popc(kept);
        __syncthreads();
        if (threadIdx.x == 0) first = atomicAdd(count, starts[3] * 8);
        __syncthreads();
        if (value & 1) out[first + starts[warp] + __popc(kept & ((1u << lane) - 1))] = value;
    }
    if (V % 30 == 7) { // shared_atomics, all lanes together
        __shared__ u own, first;
        if (threadIdx.x == 0) own = 0;
        __syncthreads();
        u value = i < n ? in[i] : 0, place = 0;
        u kept = __ballot_sync(~0u, value & 1);
        if (lane == 0) place = atomicAdd(&own, (u)__popc(kept));
        place = __shfl_sync(~0u, place, 0) + __popc(kept & ((1u << lane) - 1));
        __syncthreads();
        if (threadIdx.x == 0) first = atomicAdd(count, own);
        __syncthreads();
        if (value & 1) out[first + place] = value;
    }
    if (V % 30 == 8) { // lanes apart, but no atomics in shared memory
        __shared__ u own, first;
        if (threadIdx.x == 0) own = 128;
        __syncthreads();
        u value = i < n ? in[i] : 0, place = 0;
        if (value & 1) {
            u kept; asm volatile("activemask.b32 %0;" : "=r"(kept));
            place = __popc(kept & ((1u << lane) - 1)) + warp * 16;
            asm volatile("" ::: "memory");
        }
        __syncthreads();
        if (threadIdx.x == 0) first = atomicAdd(count, own);
        __syncthreads();
        if (value & 1) out[first + place] = value;
    }
}
__global__ void fill(u *in, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) in[i] = mix(i); }
template <int V> void go_compact(u *in, u *out, u *count, int n)
{
    double us = timed([&] { cudaMemset(count, 0, 1 << 20); cudaMemset(flushbuf, 0, 128 << 20); }, [&] { compact<V><<<n / 256, 256>>>(in, out, count, n); }, 9);
    printf("compact v%d n%d: %.1f us, %.0f clocks a round of blocks\n", V, n, us, (us - 3.9) * 1980 / (n / 256 / 1056.0));
}
int main()
{
    u *data, *out, *in;
    long long *clocks;
    cudaMalloc(&data, 64 << 20);
    cudaMalloc(&out, 64 << 20);
    cudaMalloc(&in, 64 << 20);
    cudaMalloc(&clocks, 64);
    cudaMalloc(&flushbuf, 128 << 20);
    const int n = 1 << 24;
    fill<<<n / 256, 256>>>(in, n);
    go_compact<0>(in, out, data, n);
    go_compact<1>(in, out, data, n);
    go_compact<2>(in, out, data, n);
    go_compact<3>(in, out, data, n);
    go_compact<4>(in, out, data, n);
    go_compact<5>(in, out, data, n);
    go_compact<6>(in, out, data, n);
    go_compact<7>(in, out, data, n);
    go_compact<8>(in, out, data, n);
    for (int t = 32; t <= 1024; t *= 32) {
        go_ifs<0>(out, clocks, 1, 0, t);
        go_ifs<1>(out, clocks, 0, 0, t);
        go_ifs<1>(out, clocks, 0, 1, t);
        go_ifs<1>(out, clocks, 1, 0, t);
        go_ifs<2>(out, clocks, 0, 0, t);
        go_ifs<2>(out, clocks, 1, 0, t);
        go_ifs<3>(out, clocks, 1, 0, t);
    }
    go_chain<0>(data, out, clocks, "atom.add");
    go_chain<1>(data, out, clocks, "atom.cas");
    go_chain<2>(data, out, clocks, "ld.cg");
    go_chain<3>(data, out, clocks, "atoms.add");
    go_chain<5>(data, out, clocks, "popc + add");
    go_chain<6>(data, out, clocks, "ffs + or + add");
    go_chain<7>(data, out, clocks, "ballot + and + add");
    go_chain<8>(data, out, clocks, "atom.exch");
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
