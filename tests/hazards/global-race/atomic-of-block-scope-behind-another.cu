// sim --grid 2 --block 64 --arg u32*1=zero --arg u32*1=zero
// says atomicOr_block() is atomic only among the threads of one block
// After the last access to the word, which is no race, there is one that is.
__global__ void k(unsigned *n, unsigned *unused) {
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        __threadfence_block();
        atomicOr_block(n, 4u);
    }
    if (blockIdx.x == 0 && threadIdx.x == 32) {
        __threadfence_block();
        atomicOr(n, 8u);
    }
    if (blockIdx.x == 1 && threadIdx.x == 0)
        atomicOr(n, 1u); // HAZARD global-race error
}
