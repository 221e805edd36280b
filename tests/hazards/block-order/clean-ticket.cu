// sim --seed 3 --grid 20 --block 32 --arg u64*20=zero --arg i32*20=zero --arg u32*1=zero
__global__ void k(volatile unsigned long long *state, int *out, unsigned *ticket) {
    if (threadIdx.x)
        return;
    int t = atomicAdd(ticket, 1);
    unsigned before = 0;
    if (t > 0) {
        while (state[t - 1] >> 32 == 0)
            ;
        before = (unsigned)state[t - 1];
    }
    state[t] = 1ull << 32 | (before + t);
    out[t] = before;
}
