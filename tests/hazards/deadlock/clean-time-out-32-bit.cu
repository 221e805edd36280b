// sim --grid 3 --block 64 --arg i32*2=zero
// the time-outs of a thread end its wait, long and short, with a sign and without
__global__ void k(volatile int *a) {
    __shared__ volatile int flag;
    flag = 0;
    __syncthreads();
    clock_t start = clock();
    while (!flag && (int)(clock() - start) < 1500000000)
        ;
    unsigned first = clock();
    while (!flag && clock() - first < 4000000000u)
        ;
    long long begin = clock64();
    while (!flag && clock64() - begin < 300ll * 1000 * 1000 * 1000)
        ;
    if (blockIdx.x == 2)
        a[1] = 1;
}
__global__ void check(int *a) {
    if (a[1] != 1)
        __trap();
}
// maybe shared-race
// maybe global-race
