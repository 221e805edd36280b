// As plain, but a block of 32 x 8 copies its cells and those around them to shared memory.
__global__ void turn(const unsigned char *field, unsigned char *next, int n)
{
    __shared__ unsigned char tile[10][34];
    int left = blockIdx.x * 32 - 1, top = blockIdx.y * 8 - 1;
    for (int i = threadIdx.y * 32 + threadIdx.x; i < 340; i += 256)
        tile[i / 34][i % 34] = field[((top + i / 34) & (n - 1)) * n + ((left + i % 34) & (n - 1))] & 1;
    __syncthreads();
    int x = threadIdx.x, y = threadIdx.y, neighbours = 0;
    for (int dy = 0; dy <= 2; dy++)
        for (int dx = 0; dx <= 2; dx++)
            neighbours += tile[y + dy][x + dx];
    int alive = tile[y + 1][x + 1];
    neighbours -= alive;
    next[(top + 1 + y) * n + left + 1 + x] = neighbours == 3 || (alive && neighbours == 2);
}
