// sim --grid 4 --block 32 --arg i32*1=zero --arg i32*1=zero --arg i32*4=uninit
__global__ void k(int *lock, volatile int *last, int *out) {
    if (threadIdx.x)
        return;
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    out[blockIdx.x] = *last; // HAZARD global-race error
    *last = blockIdx.x;
    atomicExch(lock, 0);
}
