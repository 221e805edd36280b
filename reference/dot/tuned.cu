// Each warp adds up in registers with shuffles; shared memory only joins the warps' sums, so there
// is one barrier and one atomic operation a block.
#define BLOCK_SIZE 256

__device__ static float warp_sum(float value)
{
    for (int distance = 16; distance > 0; distance /= 2)
        value += __shfl_down_sync(0xffffffffu, value, distance);
    return value;
}

__global__ void dot(const float *__restrict__ a, const float *__restrict__ b, float *out, int n)
{
    __shared__ float sums[BLOCK_SIZE / 32];
    int tid = threadIdx.x;
    int k = blockIdx.x * BLOCK_SIZE + tid;
    float sum = warp_sum(k < n ? a[k] * b[k] : 0.0f);
    if (tid % 32 == 0)
        sums[tid / 32] = sum;
    __syncthreads();
    if (tid < 32) {
        sum = warp_sum(tid < BLOCK_SIZE / 32 ? sums[tid] : 0.0f);
        if (tid == 0)
            atomicAdd(out, sum);
    }
}
