// sim --grid 3 --block 32 --arg u32*1=zero
// says atomicAdd_block() is atomic only among the threads of one block
__global__ void k(unsigned *n) {
    if (blockIdx.x == 1)
        atomicAdd_block(n, 1u); // HAZARD global-race any
    else
        atomicAdd(n, 1u); // HAZARD global-race error
}
