// sim --grid 1 --block 256 --arg i32*256=zero
// More accesses between two barriers of the block than there are records at a time.
__global__ void k(int *out) {
    __shared__ int mine[256], other[256];
    int i = threadIdx.x;
    mine[i] = i;
    other[i] = 0;
    __syncthreads();
    if (i == 0)
        other[5] = 1;
    for (int turn = 0; turn < 10000; turn++) {
        mine[i] += turn;
        __syncwarp();
        mine[i ^ 1] += 1;
        __syncwarp();
    }
    if (i == 200)
        other[5] = 2; // HAZARD shared-race error
    __syncthreads();
    out[i] = mine[i] + other[i];
}
