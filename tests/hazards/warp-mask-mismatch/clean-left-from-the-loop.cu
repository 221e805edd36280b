// sim --grid 1 --block 32 --arg i32*32=iota
// lanes that return before a turn's call are not waited for: they have left the kernel
__global__ void k(int *a) {
    int i = threadIdx.x;
    for (int turn = 0; turn < 3; turn++) {
        if (i / 8 == turn) {
            a[i] = turn;
            return;
        }
        __syncwarp();
    }
    a[i] = 9;
}
