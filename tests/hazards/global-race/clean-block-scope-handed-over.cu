// sim --grid 3 --block 64 --arg i32*1=zero --arg i32*1=zero
// The blocks use the counter one after the other; each only needs atomics of its own block.
__global__ void k(int *counter, int *turn) {
    if (threadIdx.x == 0)
        while (atomicAdd(turn, 0) != blockIdx.x)
            ;
    __syncthreads();
    atomicAdd_block(counter, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(turn, 1);
    }
}
__global__ void check(int *counter, int *turn) {
    if (*counter != 192)
        __trap();
}
