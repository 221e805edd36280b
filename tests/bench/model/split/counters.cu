// As scans, but all four bits at once: each of 128 threads counts the sixteen digits of its four keys, and
// one scan over all counters says where each thread's keys of a digit begin.
__global__ void sort_digit(const unsigned *in, unsigned *out)
{
    __shared__ int counters[16 * 128], totals[128];
    __shared__ unsigned sorted[512];
    int t = threadIdx.x;
    uint4 four = ((const uint4 *)in)[blockIdx.x * 128 + t];
    unsigned keys[4] = {four.x, four.y, four.z, four.w};
    for (int digit = 0; digit < 16; digit++)
        counters[digit * 128 + t] = 0;
    for (int i = 0; i < 4; i++)
        counters[(keys[i] & 15) * 128 + t]++;
    __syncthreads();
    int own = 0;
    for (int i = 0; i < 16; i++)
        own += counters[t * 16 + i];
    totals[t] = own;
    __syncthreads();
    for (int step = 1; step < 128; step *= 2) {
        int before = t >= step ? totals[t - step] : 0;
        __syncthreads();
        totals[t] += before;
        __syncthreads();
    }
    int place = totals[t] - own;
    for (int i = 0; i < 16; i++) {
        int count = counters[t * 16 + i];
        counters[t * 16 + i] = place;
        place += count;
    }
    __syncthreads();
    for (int i = 0; i < 4; i++)
        sorted[counters[(keys[i] & 15) * 128 + t]++] = keys[i];
    __syncthreads();
    for (int i = t; i < 512; i += 128)
        out[blockIdx.x * 512 + i] = sorted[i];
}
