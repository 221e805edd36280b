// Full occupancy, and 33 reads of global memory for each element.
#define BLOCK_SIZE 256
#define RADIUS     16
#define LENGTH     (2 * RADIUS + 1)
#define TILE       (BLOCK_SIZE + 2 * RADIUS)

__global__ void window_max(const float *x, float *y, int n)
{
    int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    if (i >= n)
        return;
    float greatest = x[i];
    for (int k = 0; k < LENGTH; k++)
        greatest = fmaxf(greatest, x[min(max(i - RADIUS + k, 0), n - 1)]);
    y[i] = greatest;
}
