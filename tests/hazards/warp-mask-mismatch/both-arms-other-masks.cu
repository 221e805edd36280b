// sim --grid 1 --block 32 --arg i32*32=iota
/* The masks name the lanes of the other arm, which wait with another mask: they do not meet. */
__global__ void k(int *a) {
    int t = threadIdx.x;
    if (t < 8) {
        a[t] = 1;
        __syncwarp();
    } else {
        a[t] = 2;
        __syncwarp(0xffffff0f); // HAZARD warp-mask-mismatch error
    }
}
