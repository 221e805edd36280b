// Least significant digit first, four bits a pass: histograms, a scan of them, a stable scatter.
#include "check.h"

#include <algorithm>
#include <vector>

const int THREADS = 64, RADIX = 16;

__global__ void count(const unsigned *keys, unsigned *counts, int n, int shift) {
    __shared__ unsigned s[RADIX];
    if (threadIdx.x < RADIX)
        s[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < n)
        atomicAdd(&s[keys[i] >> shift & (RADIX - 1)], 1u);
    __syncthreads();
    if (threadIdx.x < RADIX)
        counts[threadIdx.x * gridDim.x + blockIdx.x] = s[threadIdx.x];
}

__global__ void scan(unsigned *counts, int n) {
    __shared__ unsigned warps[32];
    unsigned carry = 0, lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    for (int base = 0; base < n; base += blockDim.x) {
        int i = base + threadIdx.x;
        unsigned mine = i < n ? counts[i] : 0, sum = mine;
        for (int d = 1; d < 32; d *= 2) {
            unsigned other = __shfl_up_sync(0xffffffff, sum, d);
            if (lane >= d)
                sum += other;
        }
        if (lane == 31)
            warps[warp] = sum;
        __syncthreads();
        unsigned before = carry, total = carry;
        for (unsigned w = 0; w < blockDim.x / 32; w++) {
            if (w < warp)
                before += warps[w];
            total += warps[w];
        }
        if (i < n)
            counts[i] = before + sum - mine;
        carry = total;
        __syncthreads();
    }
}

__global__ void scatter(const unsigned *keys, unsigned *out, const unsigned *counts, int n, int shift) {
    __shared__ unsigned digits[THREADS];
    int i = blockIdx.x * THREADS + threadIdx.x;
    unsigned digit = i < n ? keys[i] >> shift & (RADIX - 1) : RADIX;
    digits[threadIdx.x] = digit;
    __syncthreads();
    if (i >= n)
        return;
    unsigned rank = 0;
    for (unsigned t = 0; t < threadIdx.x; t++)
        rank += digits[t] == digit;
    out[counts[digit * gridDim.x + blockIdx.x] + rank] = keys[i];
}

int main() {
    const int n = 3000, blocks = (n + THREADS - 1) / THREADS;
    std::vector<unsigned> keys(n), sorted(n);
    Random random(5);
    for (unsigned &k : keys)
        k = random.next();
    unsigned *d_in, *d_out, *d_counts;
    CHECK(cudaMalloc(&d_in, n * sizeof(unsigned)));
    CHECK(cudaMalloc(&d_out, n * sizeof(unsigned)));
    CHECK(cudaMalloc(&d_counts, RADIX * blocks * sizeof(unsigned)));
    CHECK(cudaMemcpy(d_in, keys.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice));
    for (int shift = 0; shift < 32; shift += 4) {
        count<<<blocks, THREADS>>>(d_in, d_counts, n, shift);
        scan<<<1, 256>>>(d_counts, RADIX * blocks);
        scatter<<<blocks, THREADS>>>(d_in, d_out, d_counts, n, shift);
        std::swap(d_in, d_out);
    }
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(sorted.data(), d_in, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
    std::sort(keys.begin(), keys.end());
    printf("%d keys: %s, first %u, last %u\n", n, keys == sorted ? "sorted" : "NOT sorted", sorted[0], sorted[n - 1]);
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    CHECK(cudaFree(d_counts));
    return keys != sorted;
}
