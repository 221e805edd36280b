// sim --grid 1 --block 128 --arg u32*128=uniform:const --arg u32*128=zero
__global__ void k(const unsigned *a, unsigned *b) {
    __shared__ unsigned counts[4], offsets[4];
    int t = threadIdx.x, warp = t / 32;
    bool keep = a[t] & 1;
    unsigned mask = __ballot_sync(~0u, keep);
    if (t % 32 == 0)
        counts[warp] = __popc(mask);
    __syncthreads();
    if (t < 4) {
        unsigned sum = 0;
        for (int i = 0; i < t; i++)
            sum += counts[i];
        offsets[t] = sum;
    }
    __syncthreads();
    if (keep)
        b[offsets[warp] + __popc(mask & ((1u << t % 32) - 1))] = a[t];
}
