// A thread sums many products in a register before the block reduces them by shuffles.
#define BLOCK_SIZE 256

__global__ void dot(const float *a, const float *b, float *out, int n)
{
    __shared__ float sums[BLOCK_SIZE / 32];
    float sum = 0.0f;
    for (int k = blockIdx.x * BLOCK_SIZE + threadIdx.x; k < n; k += gridDim.x * BLOCK_SIZE)
        sum += a[k] * b[k];
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 1; i < BLOCK_SIZE / 32; i++)
            sum += sums[i];
        atomicAdd(out, sum);
    }
}
