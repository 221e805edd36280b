// Right: the block's first thread looks at all its elements by itself.
#define ELEMENTS 4096

__global__ void find_largest(const int *x, int *lock, int *value, int *index, int n)
{
    int first = blockIdx.x * ELEMENTS;
    if (threadIdx.x > 0 || first >= n)
        return;
    int place = first;
    for (int i = first + 1; i < min(first + ELEMENTS, n); i++)
        if (x[i] > x[place])
            place = i;
    if (x[place] < 0)
        return;
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    if (x[place] > *value || (x[place] == *value && place < *index)) {
        *value = x[place];
        *index = place;
    }
    __threadfence();
    atomicExch(lock, 0);
}
