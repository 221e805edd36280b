// sim --grid 3 --block 32 --arg i32*1=zero --arg i32*1=zero --arg i32*1=zero
// both builds
__global__ void k(int *sum, int *flag, int *out) {
    if (threadIdx.x)
        return;
    if (blockIdx.x < 2) {
        atomicAdd(sum, blockIdx.x + 1);
        __threadfence();
        atomicAdd(flag, 1);
    } else {
        while (*(volatile int *)flag < 2)
            ;
        __threadfence();
        *out = *(volatile int *)sum;
    }
}
