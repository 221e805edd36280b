// Two levels: the first thread of a block finds where its piece begins, the second where it ends;
// the block brings both parts into shared memory, where each thread searches and merges. The merged
// piece goes back there, and is stored in order. A thread owns an odd number of elements, so that
// the lanes of a warp, ITEMS apart, lie in different banks.
#define BLOCK_SIZE 256
#define ITEMS 11
#define PIECE (BLOCK_SIZE * ITEMS)

// How many of the first `diagonal` elements come from a, where equal ones of a come first.
__device__ static int cross(const int *a, int a_count, const int *b, int b_count, int diagonal)
{
    int low = max(0, diagonal - b_count), high = min(diagonal, a_count);
    while (low < high) {
        int middle = (low + high) / 2;
        if (a[middle] <= b[diagonal - 1 - middle])
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

__global__ void __launch_bounds__(BLOCK_SIZE)
    merge(const int *__restrict__ a, const int *__restrict__ b, int *c, int a_count, int b_count)
{
    __shared__ int piece[PIECE], border[2];
    int tid = threadIdx.x, start = blockIdx.x * PIECE, total = a_count + b_count;
    int count = min(PIECE, total - start);
    if (tid < 2)
        border[tid] = cross(a, a_count, b, b_count, start + tid * count);
    __syncthreads();
    int a_first = border[0], b_first = start - a_first;
    int a_part = border[1] - a_first, b_part = count - a_part;
    for (int k = tid; k < a_part; k += BLOCK_SIZE)
        piece[k] = a[a_first + k];
    for (int k = tid; k < b_part; k += BLOCK_SIZE)
        piece[a_part + k] = b[b_first + k];
    __syncthreads();
    int diagonal = min(tid * ITEMS, count), merged[ITEMS];
    int i = cross(piece, a_part, piece + a_part, b_part, diagonal), j = a_part + diagonal - i;
    int left = i < a_part ? piece[i] : 0, right = j < count ? piece[j] : 0;
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        bool from_a = j >= count || (i < a_part && left <= right);
        merged[k] = from_a ? left : right;
        if (from_a)
            left = ++i < a_part ? piece[i] : 0;
        else
            right = ++j < count ? piece[j] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < ITEMS; k++)
        if (diagonal + k < count)
            piece[diagonal + k] = merged[k];
    __syncthreads();
    for (int k = tid; k < count; k += BLOCK_SIZE)
        c[start + k] = piece[k];
}
