// sim --grid 2 --block 32 --arg i32*2=zero --budget 2000000
// expect instruction-budget error
// block 1 would see the flag if it looked at the right moment: no deadlock, but here it never does
__global__ void k(volatile int *a) {
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0)
        while (a[1] == 0) {
            a[0] = 1;
            a[0] = 0;
        }
    else {
        while (a[0] == 0)
            ;
        a[1] = 1;
    }
}
// maybe global-race
