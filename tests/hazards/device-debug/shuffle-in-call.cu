// sim --grid 1 --block 32 --device-debug --arg i32*32=iota
__global__ void k(int *a) {
    int x = a[threadIdx.x];
    x += __shfl_down_sync(0xffff, x, 1); // HAZARD warp-mask-mismatch error
    a[threadIdx.x] = x;
}
