// sim --grid 1 --block 32 --arg i32*32=iota --arg i32*32=zero --arg i32=12
__global__ void k(const int *a, int *b, int n) {
    int i = threadIdx.x;
    unsigned mask = __ballot_sync(0xffffffff, i < n);
    if (i < n)
        b[i] = __shfl_sync(mask, a[i], i + 1 < n ? i + 1 : 0);
}
