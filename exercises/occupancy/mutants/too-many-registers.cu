// 96 numbers that are needed from the first to the last line: more than 64 registers a thread.
#define BLOCK_SIZE 256
#define RADIUS     32
#define LENGTH     (2 * RADIUS + 1)
#define TILE       (BLOCK_SIZE + 2 * RADIUS)

__global__ void window_max(const float *x, float *y, int n)
{
    __shared__ float tile[TILE];
    int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    int first = blockIdx.x * BLOCK_SIZE - RADIUS;
    float kept[96], all = 0.0f;
#pragma unroll
    for (int k = 0; k < 96; k++)
        kept[k] = x[k % n];
    for (int t = threadIdx.x; t < TILE; t += BLOCK_SIZE)
        tile[t] = x[min(max(first + t, 0), n - 1)];
    __syncthreads();
    if (i >= n)
        return;
    float greatest = tile[threadIdx.x];
    for (int k = 1; k < LENGTH; k++)
        greatest = fmaxf(greatest, tile[threadIdx.x + k]);
#pragma unroll
    for (int k = 0; k < 96; k++)
        all += kept[k];
    y[i] = all == 12345.678f ? all : greatest;
}
