// warpgrade: occupancy
// One tile for all windows of the block.
#define BLOCK_SIZE 256
#define RADIUS     16

__global__ void window_max(const float *x, float *y, int n)
{
    __shared__ float tile[BLOCK_SIZE + 2 * RADIUS];
    int first = blockIdx.x * BLOCK_SIZE - RADIUS;
    for (int k = threadIdx.x; k < BLOCK_SIZE + 2 * RADIUS; k += BLOCK_SIZE)
        tile[k] = x[min(max(first + k, 0), n - 1)];
    __syncthreads();
    int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    if (i >= n)
        return;
    float greatest = tile[threadIdx.x];
    for (int k = 1; k <= 2 * RADIUS; k++)
        greatest = fmaxf(greatest, tile[threadIdx.x + k]);
    y[i] = greatest;
}
