// sim --grid 4 --block 32 --arg i32*1=zero --arg i32*1=zero
// both builds
__global__ void k(int *c, int *out) {
    if (threadIdx.x)
        return;
    atomicAdd(c, 1); // maybe global-race
    if (blockIdx.x == 0) {
        while (atomicAdd(c, 0) < 2)
            ;
        *c = 0; // maybe global-race
        *out = 1;
    }
} // expect global-race error
