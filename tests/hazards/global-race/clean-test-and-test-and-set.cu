// sim --grid 6 --block 32 --arg i32*2=zero --arg i32*1=zero
// both builds
// A volatile look at a lock acquires nothing; the atomic that takes it does.
__global__ void k(int *lock, int *sum) {
    if (threadIdx.x)
        return;
    do {
        while (*(volatile int *)lock)
            ;
    } while (atomicCAS(lock, 0, 1) != 0);
    *sum += blockIdx.x;
    __threadfence();
    atomicExch(lock, 0);
}
