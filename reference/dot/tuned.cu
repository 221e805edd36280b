// Sixteen bytes a load and several loads on their way at a time; the blocks go through the vectors
// in strides, so that there are only as many as the GPU holds. Each warp adds up in registers with
// shuffles; shared memory only joins the warps' sums: one barrier and one atomic operation a block.
#define BLOCK_SIZE 256
#define UNROLL 2

__device__ static float warp_sum(float value)
{
    for (int distance = 16; distance > 0; distance /= 2)
        value += __shfl_down_sync(0xffffffffu, value, distance);
    return value;
}

__device__ static float product(float4 a, float4 b)
{
    return fmaf(a.x, b.x, fmaf(a.y, b.y, fmaf(a.z, b.z, a.w * b.w)));
}

__device__ static float thread_sum(const float *__restrict__ a, const float *__restrict__ b, int n)
{
    const float4 *p = reinterpret_cast<const float4 *>(a), *q = reinterpret_cast<const float4 *>(b);
    long long stride = (long long)gridDim.x * BLOCK_SIZE, quads = n / 4;
    long long i = (long long)blockIdx.x * BLOCK_SIZE + threadIdx.x, tail = quads * 4 + i;
    float sum = 0.0f;
    for (; i + (UNROLL - 1) * stride < quads; i += UNROLL * stride) {
        float4 x[UNROLL], y[UNROLL];
#pragma unroll
        for (int k = 0; k < UNROLL; k++) {
            x[k] = p[i + k * stride];
            y[k] = q[i + k * stride];
        }
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            sum += product(x[k], y[k]);
    }
    for (; i < quads; i += stride)
        sum += product(p[i], q[i]);
    return tail < n ? fmaf(a[tail], b[tail], sum) : sum;
}

__global__ void __launch_bounds__(BLOCK_SIZE)
    dot(const float *__restrict__ a, const float *__restrict__ b, float *out, int n)
{
    __shared__ float sums[BLOCK_SIZE / 32];
    int tid = threadIdx.x;
    float sum = warp_sum(thread_sum(a, b, n));
    if (tid % 32 == 0)
        sums[tid / 32] = sum;
    __syncthreads();
    if (tid < 32) {
        sum = warp_sum(tid < BLOCK_SIZE / 32 ? sums[tid] : 0.0f);
        if (tid == 0)
            atomicAdd(out, sum);
    }
}
