// sim --grid 2 --block 512 --arg i32*1024=zero
__global__ void k(int *data) {
    int i = blockIdx.x * 512 + threadIdx.x;
    for (int turn = 0; turn < 1500; turn++) {
        data[i ^ (turn & 1)] += 1;
        __syncthreads();
    }
}
