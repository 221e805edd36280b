// sim --grid 1 --block 32 --arg u32*32=iota
__global__ void k(unsigned *a) {
    if (threadIdx.x > 3)
        __syncwarp(); // HAZARD warp-mask-mismatch error
    a[threadIdx.x] = 1;
    __syncthreads(); // the others are still there, and wait here
}
