// sim --grid 2 --block 32 --arg i32*1=zero --arg i32*1=zero --arg i32*1=zero
// A fence of the reader's block orders nothing that another block has released.
__global__ void k(volatile int *data, volatile int *flag, int *out) {
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        *data = 7;
        __threadfence();
        *flag = 1;
        return;
    }
    while (*flag == 0)
        ;
    __threadfence_block();
    *out = *data; // HAZARD global-race error
}
