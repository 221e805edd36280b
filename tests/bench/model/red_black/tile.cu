// As plain, but a block copies the cells that stay, of its tile and around it, to shared memory first.
__global__ void relax(float *cells, const float *forces, int n)
{
    __shared__ float tile[10][34];
    int left = blockIdx.x * 32 - 1, top = blockIdx.y * 8 - 1;
    for (int i = threadIdx.y * 32 + threadIdx.x; i < 340; i += 256) {
        int x = left + i % 34, y = top + i / 34;
        if (x >= 0 && x < n && y >= 0 && y < n && (x + y) % 2 != 0)
            tile[i / 34][i % 34] = cells[y * n + x];
    }
    __syncthreads();
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x < 1 || x >= n - 1 || y < 1 || y >= n - 1 || (x + y) % 2 != 0)
        return;
    int column = threadIdx.x + 1, row = threadIdx.y + 1;
    cells[y * n + x] = 0.25f * (tile[row][column - 1] + tile[row][column + 1] + tile[row - 1][column] +
                                tile[row + 1][column] - forces[y * n + x]);
}
