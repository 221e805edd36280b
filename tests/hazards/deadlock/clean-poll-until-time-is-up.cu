// sim --grid 1 --block 64 --arg i32*65=zero
__global__ void k(volatile int *a) {
    long long start = clock64();
    while (a[0] == 0 && clock64() - start < 200000)
        ;
    a[1 + threadIdx.x] = 1;
}
__global__ void check(int *a) {
    for (int i = 1; i < 65; i++)
        if (a[i] != 1)
            __trap();
}
