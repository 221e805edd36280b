// sim --grid 1 --block 32 --arg i32*32=iota --arg i32*1=zero --arg i32=20
// what comes of a lane that is gone is dropped
__global__ void k(const int *a, int *sum, int n) {
    int i = threadIdx.x;
    if (i >= n)
        return;
    int x = a[i];
    for (int d = 16; d > 0; d /= 2) {
        int y = __shfl_down_sync(0xfffff, x, d);
        if (i + d < n)
            x += y;
    }
    if (i == 0)
        *sum = x;
}
