// warpgrade: softmax
// The first columns of each thread stay in registers; reductions in registers of a warp first.
#define BLOCK_SIZE 256
#define KEPT       4
#define WARPS      (BLOCK_SIZE / 32)

__device__ float block_max(float v)
{
    __shared__ float s[WARPS];
    for (int step = 16; step > 0; step /= 2)
        v = fmaxf(v, __shfl_xor_sync(0xffffffff, v, step));
    if (threadIdx.x % 32 == 0)
        s[threadIdx.x / 32] = v;
    __syncthreads();
    v = s[0];
    for (int warp = 1; warp < WARPS; warp++)
        v = fmaxf(v, s[warp]);
    return v;
}

__device__ float block_sum(float v)
{
    __shared__ float s[WARPS];
    for (int step = 16; step > 0; step /= 2)
        v += __shfl_xor_sync(0xffffffff, v, step);
    if (threadIdx.x % 32 == 0)
        s[threadIdx.x / 32] = v;
    __syncthreads();
    v = 0.0f;
    for (int warp = 0; warp < WARPS; warp++)
        v += s[warp];
    return v;
}

__global__ void softmax(const float *x, float *y, int rows, int cols)
{
    const float *in = x + (size_t)blockIdx.x * cols;
    float *out = y + (size_t)blockIdx.x * cols;
    int rest = threadIdx.x + KEPT * BLOCK_SIZE;
    float kept[KEPT];
    float most = -INFINITY;
    for (int k = 0; k < KEPT; k++) {
        int c = threadIdx.x + k * BLOCK_SIZE;
        kept[k] = c < cols ? in[c] : -INFINITY;
        most = fmaxf(most, kept[k]);
    }
    for (int c = rest; c < cols; c += BLOCK_SIZE)
        most = fmaxf(most, in[c]);
    most = block_max(most);

    float sum = 0.0f;
    for (int k = 0; k < KEPT; k++) {
        kept[k] = expf(kept[k] - most);
        sum += kept[k];
    }
    for (int c = rest; c < cols; c += BLOCK_SIZE)
        sum += expf(in[c] - most);
    sum = block_sum(sum);

    for (int k = 0; k < KEPT; k++)
        if (threadIdx.x + k * BLOCK_SIZE < cols)
            out[threadIdx.x + k * BLOCK_SIZE] = kept[k] / sum;
    for (int c = rest; c < cols; c += BLOCK_SIZE)
        out[c] = expf(in[c] - most) / sum;
}
