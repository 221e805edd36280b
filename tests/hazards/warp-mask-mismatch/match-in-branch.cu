// sim --grid 1 --block 32 --arg i32*32=iota
__global__ void k(int *a) {
    int x = a[threadIdx.x];
    if (x % 3)
        x = __match_any_sync(0xffffffff, x & 3); // HAZARD warp-mask-mismatch error
    a[threadIdx.x] = x;
    __syncthreads();
}
