// sim --grid 5 --block 32 --arg i32*1=zero --arg i32*1=zero
__global__ void k(int *count, int *rounds) {
    if (threadIdx.x)
        return;
    __threadfence_block();
    if (atomicAdd(count, 1) == gridDim.x - 1) {
        *count = 0; // HAZARD global-race error
        *rounds += 1;
    }
}
