// sim --grid 1 --block 64 --budget 2000000 --arg i32*1=zero
// expect instruction-budget error
__global__ void k(volatile int *flag) {
    if (threadIdx.x == 0)
        while (*flag != 5)
            ;
    else
        *flag = 4;
}
