// sim --grid 1 --block 64 --arg i32*1=zero
// says 63 threads have left the kernel
__global__ void k(volatile int *flag) {
    if (threadIdx.x == 0)
        while (*flag != 5) // HAZARD deadlock error
            ;
    else
        *flag = 4;
}
