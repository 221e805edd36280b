// As thread_a_pair, but a block of a warp has a pair and the whole table in shared memory: its threads go along
// a diagonal, whose fields need none of each other.
__global__ void compare(const unsigned char *from, const unsigned char *to, int *distances, int pairs)
{
    __shared__ int table[33][33];
    __shared__ unsigned char a[32], b[32];
    int t = threadIdx.x, pair = blockIdx.x;
    a[t] = from[pair * 32 + t] & 3;
    b[t] = to[pair * 32 + t] & 3;
    table[0][t + 1] = table[t + 1][0] = t + 1;
    if (t == 0)
        table[0][0] = 0;
    __syncthreads();
    for (int diagonal = 0; diagonal < 63; diagonal++) {
        int i = diagonal - t;
        if (i >= 0 && i < 32)
            table[i + 1][t + 1] =
                min(table[i][t] + (a[i] != b[t]), min(table[i][t + 1], table[i + 1][t]) + 1);
        __syncthreads();
    }
    if (t == 0)
        distances[pair] = table[32][32];
}
