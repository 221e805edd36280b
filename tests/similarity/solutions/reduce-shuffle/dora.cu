// warpgrade: reduce-shuffle
#define BLOCK_SIZE 256
#define ITEMS 4

__global__ void reduce(const float *x, float *out, int n)
{
    // classic tree first, shuffles for the last warp only
    __shared__ float buf[BLOCK_SIZE];
    int tid = threadIdx.x;
    int start = blockIdx.x * blockDim.x * ITEMS;
    int stop = min(n, start + BLOCK_SIZE * ITEMS);
    float sum = 0.0f;
    for (int i = start + tid; i < stop; i += blockDim.x)
        sum += x[i];
    buf[tid] = sum;
    __syncthreads();
    for (int s = BLOCK_SIZE / 2; s >= 32; s >>= 1) {
        if (tid < s)
            buf[tid] += buf[tid + s];
        __syncthreads();
    }
    if (tid < 32) {
        sum = buf[tid];
        for (int s = 16; s >= 1; s >>= 1)
            sum += __shfl_down_sync(0xffffffff, sum, s);
        if (tid == 0)
            atomicAdd(out, sum);
    }
}
