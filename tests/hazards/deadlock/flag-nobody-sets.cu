// sim --grid 1 --block 32 --arg i32*1=zero
__global__ void k(volatile int *flag) {
    while (*flag == 0) // HAZARD deadlock error
        ;
}
