// warpgrade: occupancy
//
// y[i] is the greatest of x[i - 16] to x[i + 16], as far as they exist. This kernel is right, and
// takes so much shared memory that a multiprocessor of an H200 has room for six blocks of 256 threads
// at most: 48 warps, of 64 that it could have. Keep the results, and bring the occupancy to 95 % or
// more.
// Launched as window_max<<<(n + BLOCK_SIZE - 1) / BLOCK_SIZE, BLOCK_SIZE>>>(x, y, n).
//
// You may change BLOCK_SIZE to any number from 32 to 1024; the launch follows it.
// Grade it with `warpgrade grade occupancy.cu`.

#define BLOCK_SIZE 256
#define RADIUS     16
#define LENGTH     (2 * RADIUS + 1)

__global__ void window_max(const float *x, float *y, int n)
{
    // Each thread has a copy of its own window. Outside of the vector, its first or its last
    // element stands for what is not there: it is in the window anyway.
    __shared__ float window[BLOCK_SIZE][LENGTH];
    int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    if (i >= n)
        return;
    for (int k = 0; k < LENGTH; k++) {
        int j = min(max(i - RADIUS + k, 0), n - 1);
        window[threadIdx.x][k] = x[j];
    }
    float greatest = window[threadIdx.x][0];
    for (int k = 1; k < LENGTH; k++)
        greatest = fmaxf(greatest, window[threadIdx.x][k]);
    y[i] = greatest;
}
