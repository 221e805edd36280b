// Sums of a block's elements: within warps by shuffles, then one warp adds the warps' sums.
__device__ float warp_sum(float value)
{
    for (int offset = 16; offset > 0; offset /= 2)
        value += __shfl_down_sync(0xffffffffu, value, offset);
    return value;
}

__global__ void reduce_shuffle(const float *in, float *out, int n)
{
    __shared__ float sums[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float value = warp_sum(i < n ? in[i] : 0.0f);
    if (lane == 0)
        sums[warp] = value;
    __syncthreads();
    if (warp == 0) {
        value = warp_sum(lane < blockDim.x / 32 ? sums[lane] : 0.0f);
        if (lane == 0)
            out[blockIdx.x] = value;
    }
}
