// The last window of a block knows nothing of the next block.
#define BLOCK_SIZE 256
#define RADIUS     16
#define LENGTH     (2 * RADIUS + 1)
#define TILE       (BLOCK_SIZE + 2 * RADIUS)

__global__ void window_max(const float *x, float *y, int n)
{
    __shared__ float tile[BLOCK_SIZE];
    int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    tile[threadIdx.x] = x[min(i, n - 1)];
    __syncthreads();
    if (i >= n)
        return;
    float greatest = tile[threadIdx.x];
    for (int k = 0; k < LENGTH; k++) {
        int t = (int)threadIdx.x - RADIUS + k;
        if (t >= 0 && t < BLOCK_SIZE)
            greatest = fmaxf(greatest, tile[t]);
    }
    y[i] = greatest;
}
