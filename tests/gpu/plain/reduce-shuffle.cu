// warpgrade: reduce-shuffle
// A warp adds up in registers; the sums of the warps meet once in shared memory.
#define BLOCK_SIZE 256
#define ITEMS      16

__device__ float warp_sum(float sum)
{
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, step);
    return sum;
}

__global__ void reduce(const float *x, float *out, int n)
{
    __shared__ float sums[32];
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    int first = blockIdx.x * BLOCK_SIZE * ITEMS + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < ITEMS; k++) {
        int i = first + k * BLOCK_SIZE;
        if (i < n)
            sum += x[i];
    }
    sum = warp_sum(sum);
    if (lane == 0)
        sums[warp] = sum;
    __syncthreads();
    if (warp > 0)
        return;
    sum = warp_sum(lane < BLOCK_SIZE / 32 ? sums[lane] : 0.0f);
    if (lane == 0)
        atomicAdd(out, sum);
}
