// As plain, but for fields of any width: where the edges meet is found by division, and what becomes of a
// cell by ifs.
__global__ void turn(const unsigned char *field, unsigned char *next, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n)
        return;
    int neighbours = 0;
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            if (dx == 0 && dy == 0)
                continue;
            if (field[(y + dy + n) % n * n + (x + dx + n) % n] % 2 == 1)
                neighbours++;
        }
    }
    if (field[y * n + x] % 2 == 1) {
        if (neighbours < 2 || neighbours > 3)
            next[y * n + x] = 0;
        else
            next[y * n + x] = 1;
    } else {
        if (neighbours == 3)
            next[y * n + x] = 1;
        else
            next[y * n + x] = 0;
    }
}
