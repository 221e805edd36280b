// sim --seed 1 --grid 12 --block 32 --budget 2000000 --arg u64*12=zero --arg u32*12=zero --arg u32*1=zero
// both builds
// Where some lanes of a warp poll and others have nothing to do, others get their turn soon.
__global__ void k(volatile unsigned long long *state, unsigned *out, unsigned *ticket) {
    int t = 0;
    if (threadIdx.x == 0)
        t = atomicAdd(ticket, 1);
    t = __shfl_sync(~0u, t, 0);
    int mine = t - 1 - (int)threadIdx.x;
    unsigned long long w = 2;
    do {
        if (mine >= 0)
            w = state[mine];
    } while (__any_sync(~0u, w == 0));
    if (threadIdx.x == 0)
        state[t] = 2;
    if (threadIdx.x == 0)
        out[t] = t;
}
