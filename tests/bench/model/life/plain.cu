// A turn of Conway's game of life on a field whose edges meet, a byte a cell, of which the lowest bit
// counts; a thread a cell. n is a power of two.
__global__ void turn(const unsigned char *field, unsigned char *next, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n)
        return;
    int neighbours = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx || dy)
                neighbours += field[((y + dy) & (n - 1)) * n + ((x + dx) & (n - 1))] & 1;
    int alive = field[y * n + x] & 1;
    next[y * n + x] = neighbours == 3 || (alive && neighbours == 2);
}
