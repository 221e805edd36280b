// Takes half of what comes before from either list.
#define BLOCK_SIZE 128
#define ITEMS 8

__global__ void merge(const int *a, const int *b, int *c, int a_count, int b_count)
{
    int total = a_count + b_count;
    int d = (blockIdx.x * BLOCK_SIZE + threadIdx.x) * ITEMS;
    if (d >= total)
        return;
    int low = max(d - b_count, min(d / 2, a_count));
    int i = low, j = d - low;
    for (int k = d; k < d + ITEMS && k < total; k++) {
        if (j >= b_count || (i < a_count && a[i] <= b[j]))
            c[k] = a[i++];
        else
            c[k] = b[j++];
    }
}
