// As plain, but a block copies its tile to shared memory, and the threads at its edges the neighbours.
__global__ void step(const float *before, const float *now, float *next, int n, float c)
{
    __shared__ float tile[18][18];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y, i = y * n + x;
    int column = threadIdx.x + 1, row = threadIdx.y + 1;
    tile[row][column] = now[i];
    if (threadIdx.x == 0 && x > 0)
        tile[row][0] = now[i - 1];
    if (threadIdx.x == 15 && x < n - 1)
        tile[row][17] = now[i + 1];
    if (threadIdx.y == 0 && y > 0)
        tile[0][column] = now[i - n];
    if (threadIdx.y == 15 && y < n - 1)
        tile[17][column] = now[i + n];
    __syncthreads();
    if (x == 0 || y == 0 || x == n - 1 || y == n - 1) {
        next[i] = 0.0f;
        return;
    }
    next[i] = 2.0f * tile[row][column] - before[i] +
              c * (tile[row][column - 1] + tile[row][column + 1] + tile[row - 1][column] +
                   tile[row + 1][column] - 4.0f * tile[row][column]);
}
