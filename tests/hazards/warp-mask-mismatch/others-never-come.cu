// sim --grid 1 --block 32 --arg i32*32=iota
// says lanes 0-15 (mask 0x0000ffff) execute this
// says also names lanes 16-31 (mask 0xffff0000), which never come
__global__ void k(int *a) {
    int i = threadIdx.x;
    if (i < 16)
        a[i] = __shfl_xor_sync(0xffffffff, a[i], 1); // HAZARD warp-mask-mismatch error
    __syncthreads(); // the others are still there, and wait here
}
