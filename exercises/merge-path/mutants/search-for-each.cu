// Right: each element goes to its place in its own list plus the number of elements of the other
// list that come before it. But that is a search for each element, all over the other list.
#define BLOCK_SIZE 128
#define ITEMS 8

__global__ void merge(const int *a, const int *b, int *c, int a_count, int b_count)
{
    for (int k = 0; k < ITEMS; k++) {
        int own = (blockIdx.x * ITEMS + k) * BLOCK_SIZE + threadIdx.x;
        if (own >= a_count + b_count)
            return;
        bool is_b = own >= a_count;
        int value = is_b ? b[own - a_count] : a[own];
        const int *other = is_b ? a : b;
        int low = 0, high = is_b ? a_count : b_count;
        while (low < high) {
            int middle = (low + high) / 2;
            if (other[middle] < value || (is_b && other[middle] == value))
                low = middle + 1;
            else
                high = middle;
        }
        c[(is_b ? own - a_count : own) + low] = value;
    }
}
