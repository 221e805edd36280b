// 16-byte loads, four of them in flight; value and index travel together in one 64-bit number, whose
// order is that of the values and, for equal ones, against that of the indices. The lanes join theirs
// through registers, the eight warps in shared memory, and one thread a block takes the lock. Numbers that are no
// readings stay below 0, and a block of nothing else leaves without having taken the lock.
#include <limits.h>

#define ELEMENTS 4096

__device__ static long long joined(int value, int index)
{
    return value * (1LL << 32) + (INT_MAX - index);
}

__device__ static long long larger_of_warp(long long pair)
{
    for (int distance = 16; distance > 0; distance /= 2)
        pair = max(pair, __shfl_xor_sync(0xffffffff, pair, distance));
    return pair;
}

__global__ void find_largest(const int *__restrict__ x, int *lock, int *value, int *index, int n)
{
    __shared__ long long pairs[8];
    int base = blockIdx.x * ELEMENTS;
    long long pair = joined(-1, INT_MAX);
    if (base + ELEMENTS <= n) {
        int4 v[4];
#pragma unroll
        for (int k = 0; k < 4; k++)
            v[k] = reinterpret_cast<const int4 *>(x + base)[threadIdx.x + 256 * k];
#pragma unroll
        for (int k = 0; k < 4; k++) {
            int i = base + 4 * (threadIdx.x + 256 * k);
            pair = max(pair, max(max(joined(v[k].x, i), joined(v[k].y, i + 1)),
                                 max(joined(v[k].z, i + 2), joined(v[k].w, i + 3))));
        }
    } else {
        for (int i = base + threadIdx.x; i < n; i += 256)
            pair = max(pair, joined(x[i], i));
    }
    pair = larger_of_warp(pair);
    if (threadIdx.x % 32 == 0)
        pairs[threadIdx.x / 32] = pair;
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    for (int warp = 1; warp < 8; warp++)
        pair = max(pair, pairs[warp]);
    if (pair < 0)
        return;
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    if (pair > joined(*value, *index)) {
        *value = (int)(pair >> 32);
        *index = INT_MAX - (int)(unsigned)pair;
    }
    __threadfence();
    atomicExch(lock, 0);
}
