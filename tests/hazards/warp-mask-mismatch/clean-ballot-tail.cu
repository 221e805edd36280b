// sim --grid 1 --block 64 --arg i32*40=iota --arg i32*40=zero --arg i32=40
__global__ void k(const int *a, int *b, int n) {
    int i = threadIdx.x;
    unsigned mask = __ballot_sync(0xffffffff, i < n);
    if (i < n)
        b[i] = __shfl_sync(mask, a[i], 3);
}
__global__ void check(const int *a, int *b, int n) {
    if (b[5] != 3 || b[39] != 35)
        __trap();
}
