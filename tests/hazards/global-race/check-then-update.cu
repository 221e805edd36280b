// sim --grid 4 --block 64 --arg i32*256=iota --arg i32*1=zero
// advises `atomicMax()`
// advises never `__sync
// advises never `atomicAdd()`
__global__ void k(const int *x, int *best) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (x[i] > 50)
        if (*best < x[i])  // HAZARD global-race error
            *best = x[i];  // HAZARD global-race error
}
