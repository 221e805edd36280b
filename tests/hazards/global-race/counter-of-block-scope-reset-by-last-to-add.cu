// sim --grid 2 --block 32 --arg i32*1=zero
// both builds
// Atomics of block scope are not atomic for other blocks, so that reading what they left orders nothing.
__global__ void k(int *count) {
    if (threadIdx.x == 0 && atomicAdd_block(count, 1) == 1) // maybe global-race
        *count = 0; // HAZARD global-race error
}
