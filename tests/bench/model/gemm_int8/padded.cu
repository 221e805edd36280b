// As tile, but the tile's rows are a word longer.
__global__ void multiply(const int *a, const int *b, int *c, int n, int k)
{
    __shared__ int rows[16][17], columns[16][17];
    int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y, total = 0;
    for (int begin = 0; begin < k / 4; begin += 16) {
        rows[threadIdx.y][threadIdx.x] = a[row * (k / 4) + begin + threadIdx.x];
        columns[threadIdx.y][threadIdx.x] = b[(blockIdx.x * 16 + threadIdx.y) * (k / 4) + begin + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 16; i++)
            total = __dp4a(rows[threadIdx.y][i], columns[threadIdx.x][i], total);
        __syncthreads();
    }
    c[row * n + column] = total;
}
