// sim --grid 4 --block 32 --arg i32*1=zero --arg i32*1=zero
// both builds
__global__ void k(int *c, int *out) {
    if (threadIdx.x)
        return;
    atomicAdd(c, 1);
    if (blockIdx.x == 0) {
        while (atomicAdd(c, 0) < 4)
            ;
        *c = 0;
        *out = 1;
    }
}
