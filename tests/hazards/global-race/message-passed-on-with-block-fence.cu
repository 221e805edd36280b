// sim --grid 2 --block 64 --arg i32*1=zero --arg i32*2=zero --arg i32*1=uninit
__global__ void k(int *message, int *flag, int *out) {
    int t = threadIdx.x;
    if (blockIdx.x == 0 && t == 0) {
        *message = 9;
        __threadfence();
        atomicExch_block(&flag[0], 1);
    }
    if (blockIdx.x == 0 && t == 32) {
        while (atomicAdd_block(&flag[0], 0) == 0)
            ;
        __threadfence_block();
        atomicExch(&flag[1], 1);
    }
    if (blockIdx.x == 1 && t == 0) {
        while (atomicAdd(&flag[1], 0) == 0)
            ;
        *out = *message; // HAZARD global-race error
    }
}
