// sim --grid 5 --block 64 --arg i32*1=zero --arg i32*320=zero --arg i32*1=zero
// both builds
__global__ void k(int *c, int *out, int *total) {
    int old = atomicAdd(c, 1);
    if (old < 300)
        out[old] = threadIdx.x;
    if (blockIdx.x == 4 && threadIdx.x == 63)
        *total = *c; // HAZARD global-race error
}
