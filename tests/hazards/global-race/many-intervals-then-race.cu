// sim --grid 2 --block 512 --arg i32*1024=zero
// The detector cannot keep a record of each of these accesses.
__global__ void k(int *data) {
    int i = blockIdx.x * 512 + threadIdx.x;
    for (int turn = 0; turn < 1500; turn++) {
        data[i ^ (turn & 1)] += 1;
        __syncthreads();
    }
    if (blockIdx.x == 1 && threadIdx.x == 100)
        data[77] = 0; // HAZARD global-race error
}
