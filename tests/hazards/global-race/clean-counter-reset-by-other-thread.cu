// sim --grid 4 --block 64 --arg i32*1=zero --arg i32*1=zero
// both builds
// The thread that resets has not added itself; a barrier of its block tells it of the one that has.
__global__ void k(int *count, int *rounds) {
    int last = 0;
    if (threadIdx.x == 0)
        last = atomicAdd(count, 1) == gridDim.x - 1;
    if (__syncthreads_or(last) && threadIdx.x == 40) {
        *count = 0;
        *rounds = 1;
    }
}
