// sim --grid 3 --block 32 --arg i32*1=zero --arg i32*3=uninit
__global__ void k(int *count, int *b) {
    if (threadIdx.x == 0) {
        atomicAdd(count, 1); // HAZARD global-race error
        b[blockIdx.x] = *count; // HAZARD global-race error
    }
}
