// sim --grid 3 --block 32 --arg i32*1=zero
__global__ void k(int *count) {
    if (threadIdx.x == 0) {
        if (blockIdx.x == 0)
            *count = 0;
        atomicAdd(count, 1); // HAZARD global-race error
    }
}
