// sim --grid 5 --block 64 --arg i32*1=zero --arg i32*1=zero
// both builds
__global__ void k(int *c, int *out) {
    if (atomicAdd(c, 1) == (int)(gridDim.x * blockDim.x) - 1) {
        *c = 0;
        *out = 1;
    }
}
