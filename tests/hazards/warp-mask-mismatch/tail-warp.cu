// sim --grid 1 --block 64 --arg i32*40=iota --arg i32*40=zero --arg i32=40
__global__ void k(const int *a, int *b, int n) {
    int i = threadIdx.x;
    if (i < n) {
        int x = a[i];
        for (int d = 16; d > 0; d /= 2)
            x += __shfl_down_sync(0xffffffff, x, d); // HAZARD warp-mask-mismatch error
        b[i] = x;
    }
    __syncthreads();
}
