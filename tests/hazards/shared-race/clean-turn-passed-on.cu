// sim --grid 1 --block 96 --arg i32*96=zero
// A flag is one to all its readers: the warp whose turn it is adds one to it.
__global__ void k(int *out) {
    __shared__ volatile int turn;
    int warp = threadIdx.x / 32;
    if (threadIdx.x == 0)
        turn = 0;
    __syncthreads();
    for (int round = 0; round < 4; round++) {
        while (turn % 3 != warp)
            ;
        __threadfence_block();
        __syncwarp();
        out[threadIdx.x % 32] += warp;
        __threadfence_block();
        __syncwarp();
        if (threadIdx.x % 32 == 0)
            turn = turn + 1;
        while (turn % 3 == warp)
            ;
        __syncwarp();
    }
}
