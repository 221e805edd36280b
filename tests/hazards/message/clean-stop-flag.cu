// sim --grid 4 --block 32 --arg i32*1=zero --arg i32*1=zero --arg i32*4=zero
// Whether to stop is asked once a turn, and any answer will do.
__global__ void k(int *lock, volatile int *stop, int *turns) {
    if (threadIdx.x)
        return;
    for (int i = 0; i < 20; i++) {
        while (atomicCAS(lock, 0, 1) != 0)
            ;
        __threadfence();
        turns[blockIdx.x]++;
        __threadfence();
        atomicExch(lock, 0);
        if (*stop)
            return;
        if (i == 10)
            *stop = 1;
    }
}
