// sim --grid 4 --block 32 --arg i32*1=zero --arg i32*1=zero
__global__ void k(int *lock, int *sum) {
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0)
            ;
        *sum += blockIdx.x; // HAZARD global-race error
        atomicExch(lock, 0);
    }
}
