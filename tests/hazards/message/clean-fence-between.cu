// sim --grid 4 --block 32 --arg u32*8=zero --arg u32*4=zero
// both builds
__global__ void k(volatile unsigned *w, unsigned *out) {
    int t = blockIdx.x;
    if (threadIdx.x)
        return;
    unsigned before = 0;
    if (t > 0) {
        while (w[2 * t - 1] == 0)
            ;
        __threadfence();
        before = w[2 * t - 2];
    }
    w[2 * t] = before + t;
    __threadfence();
    w[2 * t + 1] = 1;
    out[t] = before;
}
