// One step of Floyd's and Warshall's shortest paths: is the way from row to column shorter by way of k?
// A thread a pair; the new table does not overwrite the old one.
__global__ void relax(const unsigned short *distances, unsigned short *shorter, int n, int k)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= n || column >= n)
        return;
    int own = distances[row * n + column];
    int through = distances[row * n + k] + distances[k * n + column];
    shorter[row * n + column] = through < own ? through : own;
}
