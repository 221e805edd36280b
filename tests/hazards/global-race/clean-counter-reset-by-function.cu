// sim --grid 5 --block 64 --arg i32*1=zero
// both builds
__device__ __noinline__ void put_back(int before, int all, int *c) {
    if (before == all - 1)
        *c = 0;
}

__global__ void k(int *c) {
    if (threadIdx.x == 0)
        put_back(atomicAdd(c, 1), gridDim.x, c);
}
