// sim --grid 5 --block 64 --arg i32*1=zero --arg i32*1=zero
// both builds
__device__ __noinline__ void put_back(int block, int all, int *c) {
    if (block == all - 1)
        *c = 0; // HAZARD global-race error
}

__global__ void k(int *c, int *out) {
    if (threadIdx.x == 0) {
        if (atomicAdd(c, 1) == 2)
            *out = 1;
        put_back(blockIdx.x, gridDim.x, c);
    }
}
