// sim --grid 1 --block 32 --arg i32*1=zero --budget 1000000
// expect instruction-budget error
__global__ void k(int *a) {
    volatile int i = 0;
    while (i == 0)
        ;
    *a = i;
}
