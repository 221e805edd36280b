// sim --grid 1 --block 32 --arg i32*32=iota --arg i32*32=zero --arg i32=12
// the mask is right, the lane that is asked is not in it
__global__ void k(const int *a, int *b, int n) {
    int i = threadIdx.x;
    unsigned mask = __ballot_sync(0xffffffff, i < n);
    if (i < n)
        b[i] = __shfl_down_sync(mask, a[i], 1); // HAZARD warp-mask-mismatch error
}
