// sim --grid 2 --block 32 --arg u32*1=zero --arg u32*1=zero
__global__ void k(unsigned *n, unsigned *first) {
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        atomicOr_block(n, 4u);
        atomicOr(n, 8u);
    }
    if (blockIdx.x == 1)
        atomicOr(n, 1u); // HAZARD global-race error
}
