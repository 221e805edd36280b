// sim --grid 1 --block 96 --arg i32*1=zero --arg i32*1=uninit
// says by thread (0, 0, 0)
__global__ void k(int *count, int *b) {
    if (threadIdx.x == 0)
        atomicAdd(count, 1);
    if (threadIdx.x == 32) {
        __threadfence();
        atomicAdd(count, 1);
    }
    if (threadIdx.x == 64) {
        __threadfence();
        atomicAdd(count, 1);
        *b = *count; // HAZARD global-race error
    }
}
