// sim --grid 2 --block 64 --arg i32*1=zero --arg i32*1=zero --arg i32*1=uninit
// What a thread of block 0 has learnt, a block that runs after it has not.
__global__ void k(int *message, int *flag, int *out) {
    int t = threadIdx.x;
    if (blockIdx.x == 0 && t == 0) {
        *message = 9;
        __threadfence();
        atomicExch(flag, 1);
    }
    if (blockIdx.x == 0 && t == 32)
        while (atomicAdd(flag, 0) == 0)
            ;
    if (blockIdx.x == 1 && t == 0)
        *out = *message; // HAZARD global-race error
}
