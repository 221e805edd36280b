// The block's part of both lists goes to shared memory, where every thread searches and merges; what
// it makes it stores one by one.
#define BLOCK_SIZE 128
#define ITEMS 8
#define PIECE (BLOCK_SIZE * ITEMS)

__device__ int from_a(const int *a, int a_count, const int *b, int b_count, int d)
{
    int low = max(0, d - b_count), high = min(d, a_count);
    while (low < high) {
        int middle = (low + high) / 2;
        if (a[middle] <= b[d - 1 - middle])
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

__global__ void merge(const int *a, const int *b, int *c, int a_count, int b_count)
{
    __shared__ int piece[PIECE];
    __shared__ int first, last;
    int start = blockIdx.x * PIECE, end = min(start + PIECE, a_count + b_count);
    if (threadIdx.x == 0)
        first = from_a(a, a_count, b, b_count, start);
    if (threadIdx.x == 32 % BLOCK_SIZE)
        last = from_a(a, a_count, b, b_count, end);
    __syncthreads();
    int own_a = last - first, own_b = end - start - own_a;
    for (int k = threadIdx.x; k < own_a; k += BLOCK_SIZE)
        piece[k] = a[first + k];
    for (int k = threadIdx.x; k < own_b; k += BLOCK_SIZE)
        piece[own_a + k] = b[start - first + k];
    __syncthreads();
    int d = threadIdx.x * ITEMS;
    if (start + d >= end)
        return;
    int i = from_a(piece, own_a, piece + own_a, own_b, d), j = d - i;
    for (int k = start + d; k < start + d + ITEMS && k < end; k++) {
        if (j >= own_b || (i < own_a && piece[i] <= piece[own_a + j]))
            c[k] = piece[i++];
        else
            c[k] = piece[own_a + j++];
    }
}
