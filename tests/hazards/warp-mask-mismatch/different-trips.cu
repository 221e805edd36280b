// sim --grid 1 --block 32 --arg i32*32=iota
__global__ void k(int *a) {
    int t = threadIdx.x, trips = a[t];
    for (int i = 0; i < trips; i++) {
        a[t] += i;
        __syncwarp(); // HAZARD warp-mask-mismatch error
    }
}
