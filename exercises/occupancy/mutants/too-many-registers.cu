// A way of its own for short vectors, with 96 numbers in registers. It is hardly ever taken, but
// the registers of a thread are there for all ways: at more than 32 there is no room for 64 warps.
#define BLOCK_SIZE 256
#define RADIUS     16
#define LENGTH     (2 * RADIUS + 1)
#define TILE       (BLOCK_SIZE + 2 * RADIUS)
#define SHORT      96

__device__ float greatest_of_short(const float *x, int n)
{
    float all[SHORT], greatest = x[0];
    int count = 0;
#pragma unroll
    for (int k = 0; k < SHORT; k++) {
        all[k] = x[min(k, n - 1)];
        greatest = fmaxf(greatest, all[k]);
    }
#pragma unroll
    for (int k = 0; k < SHORT; k++)
        count += all[k] == greatest;
    return count ? greatest : x[0];
}

__global__ void window_max(const float *x, float *y, int n)
{
    __shared__ float tile[TILE];
    int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    int first = blockIdx.x * BLOCK_SIZE - RADIUS;
    if (n <= RADIUS) {
        if (i < n)
            y[i] = greatest_of_short(x, n);
        return;
    }
    for (int t = threadIdx.x; t < TILE; t += BLOCK_SIZE)
        tile[t] = x[min(max(first + t, 0), n - 1)];
    __syncthreads();
    if (i >= n)
        return;
    float greatest = tile[threadIdx.x];
    for (int k = 1; k < LENGTH; k++)
        greatest = fmaxf(greatest, tile[threadIdx.x + k]);
    y[i] = greatest;
}
