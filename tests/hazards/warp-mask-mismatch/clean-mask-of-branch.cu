// sim --grid 1 --block 32 --arg i32*32=iota
__global__ void k(int *a) {
    int x = a[threadIdx.x];
    unsigned mask = __ballot_sync(0xffffffff, x % 3 == 0);
    if (x % 3 == 0)
        x = __reduce_add_sync(mask, x);
    a[threadIdx.x] = x;
}
