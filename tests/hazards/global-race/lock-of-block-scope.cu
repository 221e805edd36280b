// sim --grid 4 --block 32 --arg i32*1=zero --arg i32*1=zero
// says atomicCAS_block() is atomic only among the threads of one block; between blocks use atomicCAS()
__global__ void k(int *lock, int *sum) {
    if (threadIdx.x)
        return;
    while (atomicCAS_block(lock, 0, 1)) // HAZARD global-race error
        ;
    __threadfence();
    *sum += blockIdx.x; // HAZARD global-race error
    __threadfence();
    atomicExch_block(lock, 0); // HAZARD global-race error
}
