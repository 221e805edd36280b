// sim --grid 20 --block 32 --arg i32*20=zero --arg i32*20=zero
__global__ void k(int *sum, int *flag) {
    int b = blockIdx.x;
    if (threadIdx.x)
        return;
    int before = 0;
    if (b > 0) {
        while (atomicAdd(&flag[b - 1], 0) == 0) // HAZARD block-order warning
            ;
        __threadfence();
        before = sum[b - 1];
    }
    sum[b] = before + b;
    __threadfence();
    *(volatile int *)&flag[b] = 1;
}
