// As positions, but words of bits tell which columns and diagonals are taken, and a row's free places are
// taken off one after the other.
__global__ void count(int *ways, int n)
{
    int start = blockIdx.x * blockDim.x + threadIdx.x, found = 0;
    if (start >= n * n * n * n)
        return;
    unsigned columns = 0, left = 0, right = 0, all = (1u << n) - 1;
    for (int row = 0; row < 4; row++) {
        unsigned queen = 1u << start % n;
        start /= n;
        if ((columns | left | right) & queen)
            return;
        columns |= queen;
        left = (left | queen) << 1;
        right = (right | queen) >> 1;
    }
    unsigned free_of[16], columns_of[16], left_of[16], right_of[16];
    int depth = 0;
    free_of[0] = all & ~(columns | left | right);
    columns_of[0] = columns;
    left_of[0] = left;
    right_of[0] = right;
    while (depth >= 0) {
        unsigned queen = free_of[depth] & -free_of[depth];
        if (queen == 0) {
            depth--;
            continue;
        }
        free_of[depth] ^= queen;
        if (depth == n - 5) {
            found++;
            continue;
        }
        columns_of[depth + 1] = columns_of[depth] | queen;
        left_of[depth + 1] = (left_of[depth] | queen) << 1;
        right_of[depth + 1] = (right_of[depth] | queen) >> 1;
        depth++;
        free_of[depth] = all & ~(columns_of[depth] | left_of[depth] | right_of[depth]);
    }
    atomicAdd(ways, found);
}
