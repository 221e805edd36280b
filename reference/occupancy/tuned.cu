// Eight neighbours a thread, in registers. The window of the j-th of them reaches from the j-th of
// the lane two before to the j-th of the lane two behind: it has the end of the one lane's eight,
// three whole lanes, and the beginning of the other's. So each lane computes the greatest of every
// beginning and of every end of its own, and shuffles bring the others: 4 comparisons a window in
// place of 32, without shared memory and without a barrier. The two lanes at either end of a warp
// serve the others only.
#define BLOCK_SIZE 256
#define EACH       8
#define REACH      (16 / EACH)
#define RESULTS    ((32 - 2 * REACH) * EACH)
#define ALL        0xffffffffu

__device__ static void load(float *v, const float *x, int first, int n)
{
    if (first >= 0 && first + EACH <= n) {
        float4 a = *reinterpret_cast<const float4 *>(x + first);
        float4 b = *reinterpret_cast<const float4 *>(x + first + 4);
        v[0] = a.x, v[1] = a.y, v[2] = a.z, v[3] = a.w;
        v[4] = b.x, v[5] = b.y, v[6] = b.z, v[7] = b.w;
    } else {
#pragma unroll
        for (int j = 0; j < EACH; j++)
            v[j] = x[min(max(first + j, 0), n - 1)];
    }
}

__device__ static float between(float whole)
{
    float before = __shfl_up_sync(ALL, whole, 1), behind = __shfl_down_sync(ALL, whole, 1);
    return fmaxf(whole, fmaxf(before, behind));
}

__global__ void __launch_bounds__(BLOCK_SIZE)
    window_max(const float *__restrict__ x, float *__restrict__ y, int n)
{
    int lane = threadIdx.x % 32;
    int warp = blockIdx.x * (BLOCK_SIZE / 32) + threadIdx.x / 32;
    if ((long long)warp * RESULTS >= n)
        return;
    int first = warp * RESULTS + (lane - REACH) * EACH;
    float begin[EACH], end[EACH];
    load(begin, x, first, n);
    end[EACH - 1] = begin[EACH - 1];
#pragma unroll
    for (int j = EACH - 2; j >= 0; j--)
        end[j] = fmaxf(begin[j], end[j + 1]);
#pragma unroll
    for (int j = 1; j < EACH; j++)
        begin[j] = fmaxf(begin[j], begin[j - 1]);
    float middle = between(end[0]);
#pragma unroll
    for (int j = 0; j < EACH; j++) {
        float left = __shfl_up_sync(ALL, end[j], REACH);
        float right = __shfl_down_sync(ALL, begin[j], REACH);
        end[j] = fmaxf(fmaxf(left, middle), right);
    }
    if (lane < REACH || lane >= 32 - REACH)
        return;
    if (first + EACH <= n) {
        float4 *to = reinterpret_cast<float4 *>(y + first);
        to[0] = make_float4(end[0], end[1], end[2], end[3]);
        to[1] = make_float4(end[4], end[5], end[6], end[7]);
    } else {
#pragma unroll
        for (int j = 0; j < EACH; j++)
            if (first + j < n)
                y[first + j] = end[j];
    }
}
