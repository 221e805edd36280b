// sim --grid 6 --block 32 --arg u32*1=zero --arg u32*1=zero
// both builds
__global__ void k(unsigned *c, unsigned *out) {
    if (threadIdx.x == 0 && atomicInc(c, gridDim.x - 1) == gridDim.x - 1)
        *out = *c;
}
