// sim --grid 1 --block 32 --arg i32*32=iota
// says lane 16 executes this with a mask that names lanes 0-15 (mask 0x0000ffff), and not itself
__global__ void k(int *a) {
    int i = threadIdx.x;
    a[i] = __shfl_down_sync(0xffff, a[i], 1); // HAZARD warp-mask-mismatch error
}
// maybe global-race
