// As plain, but a block walks along a row; its way to k is read once, into shared memory.
__global__ void relax(const unsigned short *distances, unsigned short *shorter, int n, int k)
{
    __shared__ int to_k;
    int row = blockIdx.x;
    if (threadIdx.x == 0)
        to_k = distances[row * n + k];
    __syncthreads();
    for (int column = threadIdx.x; column < n; column += blockDim.x) {
        int own = distances[row * n + column];
        int through = to_k + distances[k * n + column];
        shorter[row * n + column] = through < own ? through : own;
    }
}
