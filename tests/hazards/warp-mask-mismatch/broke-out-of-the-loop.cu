// sim --grid 1 --block 32 --arg i32*32=iota
// each turn one more lane has left the loop for good
__global__ void k(int *a) {
    int i = threadIdx.x, x = a[i];
    for (int turn = 0; turn < 8; turn++) {
        if (i < turn)
            break;
        x += __shfl_xor_sync(0xffffffff, x, 1); // HAZARD warp-mask-mismatch error
    }
    a[i] = x;
}
