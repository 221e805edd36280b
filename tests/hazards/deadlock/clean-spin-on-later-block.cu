// sim --grid 2 --block 32 --arg i32*1=zero --arg i32*2=zero
__global__ void k(volatile int *flag, int *b) {
    if (blockIdx.x == 1)
        *flag = 1;
    else
        while (!*flag)
            ;
    if (threadIdx.x == 0)
        b[blockIdx.x] = 1;
}
