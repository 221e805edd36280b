// sim --grid 4 --block 64 --arg i32*257=iota
// advises another array than the one that is read
// advises never `atomicAdd()`
__global__ void k(int *x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0)
        x[i] = x[i + 64] + 1; // HAZARD global-race error
}
