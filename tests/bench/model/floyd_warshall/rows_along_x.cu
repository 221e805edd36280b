// As plain, but x counts rows: neighbouring threads are a whole row apart.
__global__ void relax(const unsigned short *distances, unsigned short *shorter, int n, int k)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= n || column >= n)
        return;
    int own = distances[row * n + column];
    int through = distances[row * n + k] + distances[k * n + column];
    shorter[row * n + column] = through < own ? through : own;
}
