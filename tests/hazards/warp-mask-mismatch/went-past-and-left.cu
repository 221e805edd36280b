// sim --grid 1 --block 64 --arg i32*128=zero
// lanes 20 and up do not stop at the call; that they are gone when it is executed is no excuse
__global__ void k(int *a) {
    int i = threadIdx.x;
    if (i % 32 < 20) {
        __syncwarp(); // HAZARD warp-mask-mismatch error
        a[i] = i;
    }
    a[i + 64] = 1;
}
