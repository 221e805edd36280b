// sim --grid 4 --block 32 --arg i32*1=zero --arg i32*1=zero
// both builds
__global__ void k(int *arrived, int *best) {
    if (threadIdx.x)
        return;
    atomicMax(best, (int)blockIdx.x);
    if (atomicAdd(arrived, 1) == 3)
        *best = *best + 100; // HAZARD global-race error
}
