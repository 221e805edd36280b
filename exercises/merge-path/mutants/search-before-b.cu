// Where b is short, d - 1 - middle lies past its end.
#define BLOCK_SIZE 128
#define ITEMS 8

__global__ void merge(const int *a, const int *b, int *c, int a_count, int b_count)
{
    int total = a_count + b_count;
    int d = (blockIdx.x * BLOCK_SIZE + threadIdx.x) * ITEMS;
    if (d >= total)
        return;
    int low = 0, high = min(d, a_count);
    while (low < high) {
        int middle = (low + high) / 2;
        if (a[middle] <= b[d - 1 - middle])
            low = middle + 1;
        else
            high = middle;
    }
    int i = low, j = d - low;
    for (int k = d; k < d + ITEMS && k < total; k++) {
        if (j >= b_count || (i < a_count && a[i] <= b[j]))
            c[k] = a[i++];
        else
            c[k] = b[j++];
    }
}
