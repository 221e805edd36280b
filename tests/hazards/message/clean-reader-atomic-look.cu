// sim --grid 2 --block 32 --arg i32*1=zero --arg i32*1=zero --arg i32*1=zero
// both builds
__global__ void k(volatile int *data, int *flag, int *out) {
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        *data = 7;
        __threadfence();
        atomicExch(flag, 1);
        return;
    }
    while (atomicAdd(flag, 0) == 0)
        ;
    *out = *data;
}
