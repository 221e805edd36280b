// warpgrade: fix-deadlock
// A block without a reading leaves before it takes the lock.
#include <limits.h>

#define BLOCK_SIZE 256
#define ELEMENTS   4096

__device__ bool comes_first(int value, int index, int other_value, int other_index)
{
    return value > other_value || (value == other_value && index < other_index);
}

__global__ void find_largest(const int *x, int *lock, int *value, int *index, int n)
{
    __shared__ int values[BLOCK_SIZE], indices[BLOCK_SIZE];
    int tid = threadIdx.x;

    // Each thread finds the largest of its own readings, the block that of its threads.
    values[tid] = -1;
    indices[tid] = INT_MAX;
    for (int k = tid; k < ELEMENTS; k += BLOCK_SIZE) {
        int i = blockIdx.x * ELEMENTS + k;
        if (i < n && x[i] >= 0 && comes_first(x[i], i, values[tid], indices[tid])) {
            values[tid] = x[i];
            indices[tid] = i;
        }
    }
    __syncthreads();
    for (int half = BLOCK_SIZE / 2; half > 0; half /= 2) {
        if (tid < half && comes_first(values[tid + half], indices[tid + half], values[tid],
                                      indices[tid])) {
            values[tid] = values[tid + half];
            indices[tid] = indices[tid + half];
        }
        __syncthreads();
    }
    if (tid > 0 || values[0] < 0)
        return; // a block without a reading has nothing to say

    // Value and index belong together: a block at a time may look at both and change both.
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    if (comes_first(values[0], indices[0], *value, *index)) {
        *value = values[0];
        *index = indices[0];
    }
    __threadfence();
    atomicExch(lock, 0);
}
