// sim --grid 1 --block 32 --arg i32*32=zero
/* The first time the arms meet, but only one of them comes again. */
__global__ void k(int *a) {
    int t = threadIdx.x;
    if (t < 8) {
        a[t] = 1;
        __syncwarp();
    } else {
        a[t] = 2;
        __syncwarp();
        a[t] = 3;
        __syncwarp(); // HAZARD warp-mask-mismatch error
    }
    __syncthreads(); // the others are still there, and wait here
}
