// sim --grid 5 --block 64 --arg i32*1=zero
// both builds
__device__ __noinline__ void put_back(int *c) {
    *c = 0; // HAZARD global-race error
}

__global__ void k(int *c) {
    if (threadIdx.x != 0)
        return;
    if (atomicAdd(c, 1) == 2 * gridDim.x)
        put_back(c);
    if (blockIdx.x == gridDim.x - 1)
        put_back(c);
}
