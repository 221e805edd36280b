// As masks, but what is needed on the way back stands in shared memory, a column of it for each of 96 threads,
// the masks of the row at hand in registers, and a warp adds its counts before one lane adds them to the result.
__global__ void count(int *ways, int n)
{
    __shared__ unsigned free_of[12][96], columns_of[12][96], left_of[12][96], right_of[12][96];
    int t = threadIdx.x, start = blockIdx.x * 96 + t, found = 0;
    unsigned columns = 0, left = 0, right = 0, all = (1u << n) - 1;
    bool possible = start < n * n * n * n;
    for (int row = 0; row < 4; row++) {
        unsigned queen = 1u << start % n;
        start /= n;
        possible = possible && !((columns | left | right) & queen);
        columns |= queen;
        left = (left | queen) << 1;
        right = (right | queen) >> 1;
    }
    unsigned open = possible ? all & ~(columns | left | right) : 0;
    int depth = 0;
    while (open || depth > 0) {
        if (open == 0) {
            depth--;
            open = free_of[depth][t];
            columns = columns_of[depth][t];
            left = left_of[depth][t];
            right = right_of[depth][t];
            continue;
        }
        if (depth == n - 5) {
            found += __popc(open);
            open = 0;
            continue;
        }
        unsigned queen = open & -open;
        free_of[depth][t] = open ^ queen;
        columns_of[depth][t] = columns;
        left_of[depth][t] = left;
        right_of[depth][t] = right;
        columns |= queen;
        left = (left | queen) << 1;
        right = (right | queen) >> 1;
        open = all & ~(columns | left | right);
        depth++;
    }
    for (int step = 16; step > 0; step /= 2)
        found += __shfl_down_sync(0xffffffffu, found, step);
    if (t % 32 == 0 && found)
        atomicAdd(ways, found);
}
