// sim --seed 3 --grid 20 --block 32 --arg u64*20=zero --arg i32*20=zero
// says blocks may start in any order
// advises Number the blocks as they start
__global__ void k(volatile unsigned long long *state, int *out) {
    int t = blockIdx.x;
    unsigned before = 0;
    if (threadIdx.x == 0) {
        if (t > 0) {
            while (state[t - 1] >> 32 == 0) // HAZARD block-order warning
                ;
            before = (unsigned)state[t - 1];
        }
        state[t] = 1ull << 32 | (before + t);
        out[t] = before;
    }
}
