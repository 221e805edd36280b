// sim --grid 5 --block 64 --arg i32*1=zero --arg i32*1=zero
// both builds
__device__ __noinline__ void finish(int before, bool last, int *c, int *out) {
    *out = before; // HAZARD global-race error
    if (last)
        *c = 0; // HAZARD global-race error
}

__global__ void k(int *c, int *out) {
    if (threadIdx.x == 0)
        finish(atomicAdd(c, 1), blockIdx.x == gridDim.x - 1, c, out);
}
