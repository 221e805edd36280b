// sim --seed 3 --grid 8 --block 32 --arg u64*8=zero
__global__ void k(volatile unsigned long long *state) {
    int t = blockIdx.x;
    if (threadIdx.x == 0) {
        if (t > 0)
            while (state[t - 1] == 0)
                ;
        state[t] = 1;
    }
}
