// sim --grid 4 --block 32 --arg u32*8=zero --arg u32*4=zero
// says no fence orders the write and the flag, set in line 16 and awaited in line 11
// says the flag can be seen before the data
// advises then `__threadfence()`, then the flag
__global__ void k(volatile unsigned *w, unsigned *out) {
    int t = blockIdx.x;
    if (threadIdx.x)
        return;
    unsigned before = 0;
    if (t > 0) {
        while (w[2 * t - 1] == 0)
            ;
        before = w[2 * t - 2]; // HAZARD global-race error
    }
    w[2 * t] = before + t;
    w[2 * t + 1] = 1;
    out[t] = before;
}
