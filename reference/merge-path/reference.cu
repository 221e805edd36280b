// One thread an element. It goes to its own place in its list, plus the number of elements of the
// other list that come before it: those below an element of a, those up to an element of b.
__device__ static int count_before(const int *list, int count, int value, bool with_equal)
{
    int low = 0, high = count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (list[middle] < value || (with_equal && list[middle] == value))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

__global__ void reference(const int *a, const int *b, int *c, int a_count, int b_count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < a_count)
        c[i + count_before(b, b_count, a[i], false)] = a[i];
    else if (i - a_count < b_count)
        c[i - a_count + count_before(a, a_count, b[i - a_count], true)] = b[i - a_count];
}
