// Inclusive prefix sums of each 512 elements: within warps by shuffles, then the warps' sums.
__global__ void scan(const int *in, int *out, int n)
{
    __shared__ int sums[16];
    int t = threadIdx.x, i = blockIdx.x * 512 + t, lane = t % 32;
    int value = i < n ? in[i] : 0;
    for (int d = 1; d < 32; d *= 2) {
        int other = __shfl_up_sync(0xffffffffu, value, d);
        if (lane >= d)
            value += other;
    }
    if (lane == 31)
        sums[t / 32] = value;
    __syncthreads();
    if (t < 16) {
        int sum = sums[t];
        for (int d = 1; d < 16; d *= 2) {
            int other = __shfl_up_sync(0xffffu, sum, d);
            if (t >= d)
                sum += other;
        }
        sums[t] = sum;
    }
    __syncthreads();
    if (i < n)
        out[i] = value + (t >= 32 ? sums[t / 32 - 1] : 0);
}
