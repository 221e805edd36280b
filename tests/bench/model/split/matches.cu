// As counters, but the lanes of a warp that have the same digit find each other, and only the warps' counts
// are scanned.
__global__ void sort_digit(const unsigned *in, unsigned *out)
{
    __shared__ int counts[256], totals[8];
    __shared__ unsigned sorted[512];
    int t = threadIdx.x, warp = t / 32, lane = t % 32;
    unsigned key = in[blockIdx.x * 512 + t], digit = key & 15;
    if (t < 256)
        counts[t] = 0;
    __syncthreads();
    unsigned same = __match_any_sync(0xffffffffu, digit);
    int rank = __popc(same & ((1u << lane) - 1));
    if (rank == 0)
        counts[digit * 16 + warp] = __popc(same);
    __syncthreads();
    int own = 0, sum = 0;
    if (t < 256) {
        own = sum = counts[t];
        for (int step = 1; step < 32; step *= 2) {
            int before = __shfl_up_sync(0xffffffffu, sum, step);
            sum += lane >= step ? before : 0;
        }
        if (lane == 31)
            totals[warp] = sum;
    }
    __syncthreads();
    if (t < 256) {
        for (int i = 0; i < warp; i++)
            sum += totals[i];
        counts[t] = sum - own;
    }
    __syncthreads();
    sorted[counts[digit * 16 + warp] + rank] = key;
    __syncthreads();
    out[blockIdx.x * 512 + t] = sorted[t];
}
