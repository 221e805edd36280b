// Right, and the loads of a warp touch 32 sectors where 4 hold as much: the elements of a thread lie
// side by side, those of neighbouring threads do not.
#define BLOCK_SIZE 256
#define ITEMS 16

__device__ static float warp_sum(float value)
{
    for (int distance = 16; distance > 0; distance /= 2)
        value += __shfl_down_sync(0xffffffffu, value, distance);
    return value;
}

__global__ void reduce(const float *x, float *out, int n)
{
    __shared__ float sums[BLOCK_SIZE / 32];
    int tid = threadIdx.x;
    int first = (blockIdx.x * BLOCK_SIZE + tid) * ITEMS;
    float sum = 0.0f;
    for (int k = 0; k < ITEMS; k++)
        if (first + k < n)
            sum += x[first + k];
    sum = warp_sum(sum);
    if (tid % 32 == 0)
        sums[tid / 32] = sum;
    __syncthreads();
    if (tid < 32) {
        sum = warp_sum(tid < BLOCK_SIZE / 32 ? sums[tid] : 0.0f);
        if (tid == 0)
            atomicAdd(out, sum);
    }
}
