// sim --grid 1 --block 32 --arg i32*32=iota --arg i32*1=zero --arg i32=20
// the lanes that have returned may be named, but they have no value to give
// advises What the lanes that left held is lost
__global__ void k(const int *a, int *sum, int n) {
    int i = threadIdx.x;
    if (i >= n)
        return;
    int x = a[i];
    for (int d = 16; d > 0; d /= 2)
        x += __shfl_down_sync(0xffffffff, x, d); // HAZARD warp-mask-mismatch error
    if (i == 0)
        *sum = x;
}
