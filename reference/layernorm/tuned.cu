// Each element is read once: a row of up to 4096 columns stays in registers, 16 bytes a load, and
// both sums are taken from there, by shuffles within a warp and one barrier between the warps.
// Longer rows are read again.
#define BLOCK_SIZE 128
#define WARPS (BLOCK_SIZE / 32)
#define EPSILON 1e-5f
#define ALL 0xffffffffu

// Of the whole block, known to all its threads. `sums` is used once.
__device__ static float block_sum(float *sums, float value)
{
    for (int distance = 16; distance > 0; distance /= 2)
        value += __shfl_xor_sync(ALL, value, distance);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = value;
    __syncthreads();
    value = 0.0f;
#pragma unroll
    for (int w = 0; w < WARPS; w++)
        value += sums[w];
    return value;
}

__device__ static float square(float value) { return value * value; }

// cols is a multiple of four, and at most 4 * QUADS * BLOCK_SIZE.
template <int QUADS>
__device__ static void short_row(const float *x, const float *gamma, const float *beta, float *y,
                                 float *sums, int cols)
{
    float4 quad[QUADS];
    float sum = 0.0f, squares = 0.0f;
#pragma unroll
    for (int k = 0; k < QUADS; k++) {
        int i = k * BLOCK_SIZE + threadIdx.x;
        quad[k] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        if (i < cols / 4)
            quad[k] = __ldcs(reinterpret_cast<const float4 *>(x) + i);
    }
#pragma unroll
    for (int k = 0; k < QUADS; k++)
        sum += (quad[k].x + quad[k].y) + (quad[k].z + quad[k].w);
    float mean = block_sum(sums, sum) / (float)cols;
#pragma unroll
    for (int k = 0; k < QUADS; k++)
        if (k * BLOCK_SIZE + threadIdx.x < cols / 4)
            squares += (square(quad[k].x - mean) + square(quad[k].y - mean)) +
                       (square(quad[k].z - mean) + square(quad[k].w - mean));
    float scale = rsqrtf(block_sum(sums + WARPS, squares) / (float)cols + EPSILON);
#pragma unroll
    for (int k = 0; k < QUADS; k++) {
        int i = k * BLOCK_SIZE + threadIdx.x;
        if (i >= cols / 4)
            continue;
        float4 g = reinterpret_cast<const float4 *>(gamma)[i];
        float4 b = reinterpret_cast<const float4 *>(beta)[i];
        __stcs(reinterpret_cast<float4 *>(y) + i,
               make_float4((quad[k].x - mean) * scale * g.x + b.x,
                           (quad[k].y - mean) * scale * g.y + b.y,
                           (quad[k].z - mean) * scale * g.z + b.z,
                           (quad[k].w - mean) * scale * g.w + b.w));
    }
}

__device__ static void long_row(const float *x, const float *gamma, const float *beta, float *y,
                                float *sums, int cols)
{
    float sum = 0.0f, squares = 0.0f;
    for (int c = threadIdx.x; c < cols; c += BLOCK_SIZE)
        sum += x[c];
    float mean = block_sum(sums, sum) / (float)cols;
    for (int c = threadIdx.x; c < cols; c += BLOCK_SIZE)
        squares += square(x[c] - mean);
    float scale = rsqrtf(block_sum(sums + WARPS, squares) / (float)cols + EPSILON);
    for (int c = threadIdx.x; c < cols; c += BLOCK_SIZE)
        y[c] = (x[c] - mean) * scale * gamma[c] + beta[c];
}

__global__ void __launch_bounds__(BLOCK_SIZE)
    layernorm(const float *__restrict__ x, const float *__restrict__ gamma,
              const float *__restrict__ beta, float *y, int rows, int cols)
{
    __shared__ float sums[2 * WARPS];
    const float *in = x + (long long)blockIdx.x * cols;
    float *out = y + (long long)blockIdx.x * cols;
    if (cols % 4 == 0 && cols <= 4 * 2 * BLOCK_SIZE)
        short_row<2>(in, gamma, beta, out, sums, cols);
    else if (cols % 4 == 0 && cols <= 4 * 8 * BLOCK_SIZE)
        short_row<8>(in, gamma, beta, out, sums, cols);
    else
        long_row(in, gamma, beta, out, sums, cols);
}
