// sim --grid 2 --block 32 --arg i32*1=zero --arg i32*1=zero --arg i32*1=zero
// both builds
// One fence after the last look is enough for all flags.
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
    if (*flag == 1)
        __threadfence();
    *out = *data;
}
