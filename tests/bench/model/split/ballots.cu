// As scans, but a warp counts by ballot, and the warps' counts are added up by each thread.
__global__ void sort_digit(const unsigned *in, unsigned *out)
{
    __shared__ unsigned keys[512];
    __shared__ int zeros[16];
    int t = threadIdx.x, warp = t / 32;
    unsigned key = in[blockIdx.x * 512 + t], lower_lanes = (1u << t % 32) - 1;
    for (int bit = 0; bit < 4; bit++) {
        unsigned is_one = key >> bit & 1;
        unsigned vote = __ballot_sync(0xffffffffu, !is_one);
        if (t % 32 == 0)
            zeros[warp] = __popc(vote);
        __syncthreads();
        int before = __popc(vote & lower_lanes), all = 0;
        for (int i = 0; i < 16; i++) {
            before += i < warp ? zeros[i] : 0;
            all += zeros[i];
        }
        keys[is_one ? all + t - before : before] = key;
        __syncthreads();
        key = keys[t];
    }
    out[blockIdx.x * 512 + t] = key;
}
