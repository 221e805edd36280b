// sim --grid 1 --block 64 --arg i32*2=zero --budget 9000000
__global__ void k(int *a) {
    while (atomicCAS(a, 0, 1) != 0)
        ;
    __threadfence();
    ((volatile int *)a)[1]++;
    __threadfence();
    atomicExch(a, 0);
}
__global__ void check(int *a) {
    if (a[1] != 64)
        __trap();
}
