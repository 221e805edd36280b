// sim --grid 5 --block 32 --arg i32*1=zero --arg i32*1=zero --arg i32*1=zero
// The last thread to add may reset the counter, whose atomics it has read, but not the sum.
__global__ void k(int *count, int *sum, int *rounds) {
    if (threadIdx.x)
        return;
    atomicAdd(sum, 1);
    __threadfence_block();
    if (atomicAdd(count, 1) == gridDim.x - 1) {
        *count = 0;
        *sum = 0; // HAZARD global-race error
        *rounds += 1;
    }
}
