// Right: the lanes of a warp join what they have found, and each warp takes the lock for itself.
#include <limits.h>

#define ELEMENTS 4096

__device__ bool comes_first(int value, int index, int other_value, int other_index)
{
    return value > other_value || (value == other_value && index < other_index);
}

__global__ void find_largest(const int *x, int *lock, int *value, int *index, int n)
{
    int best = -1, place = INT_MAX;
    for (int k = threadIdx.x; k < ELEMENTS; k += blockDim.x) {
        int i = blockIdx.x * ELEMENTS + k;
        if (i < n && comes_first(x[i], i, best, place)) {
            best = x[i];
            place = i;
        }
    }
    for (int distance = 16; distance > 0; distance /= 2) {
        int other = __shfl_xor_sync(0xffffffff, best, distance);
        int there = __shfl_xor_sync(0xffffffff, place, distance);
        if (comes_first(other, there, best, place)) {
            best = other;
            place = there;
        }
    }
    if (threadIdx.x % 32 > 0 || best < 0)
        return;
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    if (comes_first(best, place, *value, *index)) {
        *value = best;
        *index = place;
    }
    __threadfence();
    atomicExch(lock, 0);
}
