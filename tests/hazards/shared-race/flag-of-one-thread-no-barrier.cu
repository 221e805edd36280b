// sim --grid 4 --block 64 --arg i32*1=zero --arg i32*1=zero
// both builds
// advises never in one step
__global__ void k(int *count, int *out) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicAdd(count, 1) == 3;
    }
    // a barrier is missing
    if (last && threadIdx.x == 32) // maybe uninitialized-read
        *out = 1;
} // expect shared-race error
