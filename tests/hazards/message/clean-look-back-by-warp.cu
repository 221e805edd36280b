// sim --seed 3 --grid 12 --block 32 --arg u64*12=zero --arg u32*12=zero --arg u32*1=zero
// both builds
__global__ void k(volatile unsigned long long *state, unsigned *out, unsigned *ticket) {
    int lane = threadIdx.x, t = 0;
    if (lane == 0)
        t = atomicAdd(ticket, 1);
    t = __shfl_sync(~0u, t, 0);
    if (lane == 0)
        state[t] = (t ? 1ull : 2ull) << 32 | 1;
    unsigned before = 0;
    for (int at = t - 1; at >= 0; at -= 32) {
        unsigned long long w = 2ull << 32;
        do {
            if (at - lane >= 0)
                w = state[at - lane];
        } while (__any_sync(~0u, w >> 32 == 0));
        unsigned whole = __ballot_sync(~0u, w >> 32 == 2);
        unsigned value = lane <= __ffs(whole) - 1 || !whole ? (unsigned)w : 0;
        before += __reduce_add_sync(~0u, value);
        if (whole)
            break;
    }
    if (lane == 0) {
        state[t] = 2ull << 32 | (before + 1);
        out[t] = before;
    }
}
