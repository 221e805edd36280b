// warpgrade: merge-path
// Two levels: a search for the block, its part of both lists in shared memory, a search and a merge
// by each thread there, and a store in order.
#define BLOCK_SIZE 128
#define ITEMS      8
#define TILE       (BLOCK_SIZE * ITEMS)

// How many of the first d elements come from a.
__device__ int from_a(const int *a, int a_count, const int *b, int b_count, int d)
{
    int low = max(0, d - b_count);
    int high = min(d, a_count);
    while (low < high) {
        int middle = (low + high) / 2;
        if (b[d - middle - 1] < a[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

__global__ void merge(const int *a, const int *b, int *c, int a_count, int b_count)
{
    __shared__ int s[TILE];
    __shared__ int starts[2];
    int t = threadIdx.x;
    int first = blockIdx.x * TILE;
    int count = min(TILE, a_count + b_count - first);
    if (t < 2)
        starts[t] = from_a(a, a_count, b, b_count, first + (t == 0 ? 0 : count));
    __syncthreads();
    int in_a = starts[1] - starts[0];
    int in_b = count - in_a;
    for (int k = t; k < count; k += BLOCK_SIZE)
        s[k] = k < in_a ? a[starts[0] + k] : b[first - starts[0] + k - in_a];
    __syncthreads();

    int merged[ITEMS];
    int d = min(t * ITEMS, count);
    int i = from_a(s, in_a, s + in_a, in_b, d);
    int j = d - i;
    for (int k = 0; k < ITEMS; k++) {
        bool take_a = i < in_a && (j >= in_b || s[i] <= s[in_a + j]);
        if (d + k < count)
            merged[k] = take_a ? s[i++] : s[in_a + j++];
    }
    __syncthreads();
    for (int k = 0; k < ITEMS; k++)
        if (d + k < count)
            s[d + k] = merged[k];
    __syncthreads();
    for (int k = t; k < count; k += BLOCK_SIZE)
        c[first + k] = s[k];
}
