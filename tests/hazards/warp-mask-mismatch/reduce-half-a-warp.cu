// sim --grid 1 --block 48 --arg i32*48=iota --arg i32*2=zero
// the block's second warp has 16 threads
__global__ void k(const int *a, int *sums) {
    int i = threadIdx.x;
    int x = a[i];
    for (int d = 16; d > 0; d /= 2)
        x += __shfl_down_sync(0xffffffff, x, d); // HAZARD warp-mask-mismatch error
    if (i % 32 == 0)
        sums[i / 32] = x;
}
