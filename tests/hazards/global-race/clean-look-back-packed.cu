// sim --grid 5 --block 32 --arg u64*5=zero --arg u32*5=uninit --arg u32*1=zero
__global__ void k(unsigned long long *state, unsigned *out, unsigned *tickets) {
    if (threadIdx.x)
        return;
    unsigned id = atomicAdd(tickets, 1), before = 0;
    for (unsigned i = id; i > 0; i--) {
        unsigned long long x;
        while (((x = *(volatile unsigned long long *)&state[i - 1]) >> 32) == 0)
            ;
        before += (unsigned)x;
        break;
    }
    atomicExch(&state[id], 1ull << 32 | (before + id));
    out[id] = before;
}
