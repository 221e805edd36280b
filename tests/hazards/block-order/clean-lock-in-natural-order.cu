// sim --grid 24 --block 32 --arg i32*1=zero --arg i32*1=zero
__global__ void k(int *lock, int *sum) {
    if (threadIdx.x)
        return;
    while (*(volatile int *)lock || atomicCAS(lock, 0, 1) != 0)
        ;
    __threadfence();
    *sum += blockIdx.x;
    __threadfence();
    atomicExch(lock, 0);
}
