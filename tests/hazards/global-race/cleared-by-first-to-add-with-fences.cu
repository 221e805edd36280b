// sim --grid 3 --block 32 --arg i32*1=zero --arg i32*3=zero
__global__ void k(int *count, int *b) {
    if (threadIdx.x == 0) {
        if (blockIdx.x == 0)
            *count = 0;
        atomicAdd(count, 1); // HAZARD global-race error
        __threadfence();
        b[blockIdx.x] = 1;
    }
}
