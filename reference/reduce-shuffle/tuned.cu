// Sixteen bytes a load, and all loads of a thread on their way before the first one is needed; the
// streamed data are marked as not wanted again. One barrier and one atomic addition for each 16,384
// elements.
#define BLOCK_SIZE 512
#define ITEMS 32
#define QUADS (ITEMS / 4)

__device__ static float warp_sum(float value)
{
    for (int distance = 16; distance > 0; distance /= 2)
        value += __shfl_down_sync(0xffffffffu, value, distance);
    return value;
}

__device__ static float thread_sum(const float *__restrict__ x, long long first, int n)
{
    float sum = 0.0f;
    if (first + BLOCK_SIZE * ITEMS <= n) {
        const float4 *quads = reinterpret_cast<const float4 *>(x + first) + threadIdx.x;
        float4 quad[QUADS];
#pragma unroll
        for (int k = 0; k < QUADS; k++)
            quad[k] = __ldcs(quads + k * BLOCK_SIZE);
#pragma unroll
        for (int k = 0; k < QUADS; k++)
            sum += (quad[k].x + quad[k].y) + (quad[k].z + quad[k].w);
    } else {
        for (long long i = first + threadIdx.x; i < n; i += BLOCK_SIZE)
            sum += x[i];
    }
    return sum;
}

__global__ void __launch_bounds__(BLOCK_SIZE) reduce(const float *__restrict__ x, float *out, int n)
{
    __shared__ float sums[BLOCK_SIZE / 32];
    int tid = threadIdx.x;
    float sum = warp_sum(thread_sum(x, blockIdx.x * (long long)(BLOCK_SIZE * ITEMS), n));
    if (tid % 32 == 0)
        sums[tid / 32] = sum;
    __syncthreads();
    if (tid < 32) {
        sum = warp_sum(tid < BLOCK_SIZE / 32 ? sums[tid] : 0.0f);
        if (tid == 0)
            atomicAdd(out, sum);
    }
}
