// sim --grid 5 --block 32 --arg i32*5=zero --arg i32*5=zero --arg i32*5=zero --arg i32*5=uninit --arg u32*1=zero
__global__ void k(volatile int *flag, volatile int *sum, volatile int *total, int *out, unsigned *tickets) {
    if (threadIdx.x)
        return;
    int id = atomicAdd(tickets, 1), before = 0;
    sum[id] = id + 1;
    __threadfence();
    flag[id] = 1;
    for (int i = id - 1; i >= 0; i--) {
        int state;
        while ((state = flag[i]) == 0)
            ;
        if (state == 2) {
            before += total[i]; // HAZARD global-race error
            break;
        }
        before += sum[i];
    }
    total[id] = before + id + 1;
    __threadfence();
    flag[id] = 2;
    out[id] = before;
}
