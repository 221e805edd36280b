// warpgrade: layernorm
// The first columns of each thread stay in registers; reductions in registers of a warp first.
#define BLOCK_SIZE 256
#define KEPT       4

__device__ float block_sum(float sum)
{
    __shared__ float sums[BLOCK_SIZE / 32];
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, step);
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = 0.0f;
    for (int warp = 0; warp < BLOCK_SIZE / 32; warp++)
        sum += sums[warp];
    return sum;
}

__global__ void layernorm(const float *x, const float *gamma, const float *beta, float *y, int rows,
                          int cols)
{
    const float *in = x + (size_t)blockIdx.x * cols;
    float *out = y + (size_t)blockIdx.x * cols;
    int rest = threadIdx.x + KEPT * BLOCK_SIZE;
    float kept[KEPT];
    float sum = 0.0f;
    for (int k = 0; k < KEPT; k++) {
        int c = threadIdx.x + k * BLOCK_SIZE;
        kept[k] = c < cols ? in[c] : 0.0f;
        sum += kept[k];
    }
    for (int c = rest; c < cols; c += BLOCK_SIZE)
        sum += in[c];
    float mean = block_sum(sum) / cols;

    float squares = 0.0f;
    for (int k = 0; k < KEPT; k++)
        if (threadIdx.x + k * BLOCK_SIZE < cols)
            squares += (kept[k] - mean) * (kept[k] - mean);
    for (int c = rest; c < cols; c += BLOCK_SIZE)
        squares += (in[c] - mean) * (in[c] - mean);
    float scale = 1.0f / sqrtf(block_sum(squares) / cols + 1e-5f);

    for (int k = 0; k < KEPT; k++) {
        int c = threadIdx.x + k * BLOCK_SIZE;
        if (c < cols)
            out[c] = (kept[k] - mean) * scale * gamma[c] + beta[c];
    }
    for (int c = rest; c < cols; c += BLOCK_SIZE)
        out[c] = (in[c] - mean) * scale * gamma[c] + beta[c];
}
