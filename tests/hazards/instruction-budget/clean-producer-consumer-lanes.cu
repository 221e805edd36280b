// sim --grid 1 --block 32 --arg i32*33=zero --budget 9000000
// lane i waits until lane i + 1 has written: only independent lanes get through
__global__ void k(volatile int *a) {
    int i = threadIdx.x;
    if (i < 31)
        while (a[i + 1] == 0)
            ;
    __threadfence();
    a[i] = a[i + 1] + 1;
}
__global__ void check(volatile int *a) {
    for (int i = 0; i < 32; i++)
        if (a[i] != 32 - i)
            __trap();
}
// maybe global-race
