// sim --grid 1 --block 64 --arg i32*64=iota --arg i32*2=zero
__global__ void k(const int *a, int *b) {
    int x = a[threadIdx.x];
    for (int d = 16; d > 0; d /= 2)
        x += __shfl_down_sync(0xffffffff, x, d);
    if ((threadIdx.x & 31) == 0)
        b[threadIdx.x / 32] = x;
}
__global__ void check(const int *a, int *b) {
    if (b[0] != 496 || b[1] != 1520)
        __trap();
}
