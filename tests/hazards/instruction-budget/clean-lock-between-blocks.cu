// sim --grid 40 --block 32 --arg i32*2=zero --budget 9000000
__global__ void k(int *a) {
    if (threadIdx.x == 0) {
        while (atomicCAS(a, 0, 1) != 0)
            ;
        __threadfence();
        ((volatile int *)a)[1] += blockIdx.x;
        __threadfence();
        atomicExch(a, 0);
    }
}
__global__ void check(int *a) {
    if (a[1] != 780)
        __trap();
}
