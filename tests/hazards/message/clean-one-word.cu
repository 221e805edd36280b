// sim --grid 6 --block 32 --arg u64*6=zero --arg u32*6=zero
// both builds
__global__ void k(volatile unsigned long long *w, unsigned *out) {
    int t = blockIdx.x;
    if (threadIdx.x)
        return;
    unsigned before = 0;
    if (t > 0) {
        while (w[t - 1] >> 32 == 0)
            ;
        before = (unsigned)w[t - 1];
    }
    w[t] = 1ull << 32 | (before + t);
    out[t] = before;
}
