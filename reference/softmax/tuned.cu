// Each element is read once: a row of up to 4096 columns stays in registers, 16 bytes a load. The
// maximum and the sum travel together, each warp's sum relative to its own maximum, so that one
// barrier joins both. Longer rows keep a running maximum and sum, and are read again when these are
// known.
#define BLOCK_SIZE 128
#define WARPS (BLOCK_SIZE / 32)
#define ALL 0xffffffffu

struct partial {
    float largest, sum; // the sum of exp(x - largest)
};

__device__ static partial join(partial a, partial b)
{
    float largest = fmaxf(a.largest, b.largest);
    if (largest == -INFINITY)
        return a;
    return {largest, a.sum * __expf(a.largest - largest) + b.sum * __expf(b.largest - largest)};
}

__device__ static partial warp_join(partial own)
{
    for (int distance = 16; distance > 0; distance /= 2)
        own = join(own, {__shfl_xor_sync(ALL, own.largest, distance),
                         __shfl_xor_sync(ALL, own.sum, distance)});
    return own;
}

// Of the whole block, known to all its threads.
__device__ static partial block_join(partial own)
{
    __shared__ partial partials[WARPS];
    own = warp_join(own);
    if (threadIdx.x % 32 == 0)
        partials[threadIdx.x / 32] = own;
    __syncthreads();
    int lane = threadIdx.x % 32;
    return warp_join(lane < WARPS ? partials[lane] : partial{-INFINITY, 0.0f});
}

// cols is a multiple of four, and at most 4 * QUADS * BLOCK_SIZE.
template <int QUADS> __device__ static void short_row(const float *x, float *y, int cols)
{
    const float4 *in = reinterpret_cast<const float4 *>(x);
    float4 *out = reinterpret_cast<float4 *>(y), quad[QUADS];
    float largest = -INFINITY, sum = 0.0f;
#pragma unroll
    for (int k = 0; k < QUADS; k++) {
        int i = k * BLOCK_SIZE + threadIdx.x;
        quad[k] = make_float4(-INFINITY, -INFINITY, -INFINITY, -INFINITY);
        if (i < cols / 4)
            quad[k] = __ldcs(in + i);
    }
#pragma unroll
    for (int k = 0; k < QUADS; k++)
        largest = fmaxf(largest, fmaxf(fmaxf(quad[k].x, quad[k].y), fmaxf(quad[k].z, quad[k].w)));
    for (int distance = 16; distance > 0; distance /= 2)
        largest = fmaxf(largest, __shfl_xor_sync(ALL, largest, distance));
    float zero = largest == -INFINITY ? 0.0f : largest; // a warp without a column
#pragma unroll
    for (int k = 0; k < QUADS; k++) {
        quad[k].x = __expf(quad[k].x - zero);
        quad[k].y = __expf(quad[k].y - zero);
        quad[k].z = __expf(quad[k].z - zero);
        quad[k].w = __expf(quad[k].w - zero);
        sum += (quad[k].x + quad[k].y) + (quad[k].z + quad[k].w);
    }
    partial all = block_join({largest, sum});
    float scale = __expf(zero - all.largest) / all.sum;
#pragma unroll
    for (int k = 0; k < QUADS; k++) {
        int i = k * BLOCK_SIZE + threadIdx.x;
        if (i < cols / 4)
            __stcs(out + i, make_float4(quad[k].x * scale, quad[k].y * scale, quad[k].z * scale,
                                        quad[k].w * scale));
    }
}

__device__ static void long_row(const float *x, float *y, int cols)
{
    partial own = {-INFINITY, 0.0f};
    for (int c = threadIdx.x; c < cols; c += BLOCK_SIZE)
        own = join(own, {x[c], 1.0f});
    partial all = block_join(own);
    float scale = 1.0f / all.sum;
    for (int c = threadIdx.x; c < cols; c += BLOCK_SIZE)
        y[c] = __expf(x[c] - all.largest) * scale;
}

__global__ void __launch_bounds__(BLOCK_SIZE)
    softmax(const float *__restrict__ x, float *y, int rows, int cols)
{
    const float *in = x + (long long)blockIdx.x * cols;
    float *out = y + (long long)blockIdx.x * cols;
    if (cols % 4 == 0 && cols <= 4 * 2 * BLOCK_SIZE)
        short_row<2>(in, out, cols);
    else if (cols % 4 == 0 && cols <= 4 * 8 * BLOCK_SIZE)
        short_row<8>(in, out, cols);
    else
        long_row(in, out, cols);
}
