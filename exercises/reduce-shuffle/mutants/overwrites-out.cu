// The block that comes last wins; the other sums are lost.
#define BLOCK_SIZE 256
#define ITEMS 4

__global__ void reduce(const float *x, float *out, int n)
{
    __shared__ float sums[32];
    int tid = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < ITEMS; k++) {
        int i = (blockIdx.x * ITEMS + k) * BLOCK_SIZE + tid;
        if (i < n)
            sum += x[i];
    }
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, d);
    if (tid % 32 == 0)
        sums[tid / 32] = sum;
    __syncthreads();
    if (tid < 32) {
        sum = tid < BLOCK_SIZE / 32 ? sums[tid] : 0.0f;
        for (int d = 16; d > 0; d /= 2)
            sum += __shfl_down_sync(0xffffffffu, sum, d);
        if (tid == 0)
            *out = sum;
    }
}
