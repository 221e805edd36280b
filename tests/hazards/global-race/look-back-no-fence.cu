// sim --grid 4 --block 32 --arg i32*4=zero --arg i32*4=zero --arg i32*4=zero --arg u32*1=zero
__global__ void k(int *value, int *flag, int *out, unsigned *tickets) {
    if (threadIdx.x == 0) {
        int i = atomicAdd(tickets, 1), before = 0;
        if (i > 0) {
            while (((volatile int *)flag)[i - 1] == 0)
                ;
            before = value[i - 1]; // HAZARD global-race error
        }
        value[i] = before + i;
        out[i] = before;
        ((volatile int *)flag)[i] = 1;
    }
}
