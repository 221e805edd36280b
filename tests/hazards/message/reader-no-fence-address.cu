// sim --grid 2 --block 32 --arg i32*1=zero --arg i32*1=zero --arg i32*1=zero
// An address that comes from the flag is no order.
__global__ void k(volatile int *data, volatile int *flag, int *out) {
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        *data = 7;
        __threadfence();
        *flag = 1;
        return;
    }
    int at;
    while ((at = *flag) == 0)
        ;
    *out = data[at - 1]; // HAZARD global-race error
}
