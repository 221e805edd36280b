// sim --grid 3 --block 32 --arg i32*1=zero --arg i32*96=zero
// the block's own flag takes the grid's, by an atomic
__global__ void k(volatile int *stop, int *rounds) {
    __shared__ int mine;
    int t = threadIdx.x;
    if (t == 0)
        mine = 0;
    __syncthreads();
    if (blockIdx.x == 1 && t == 0)
        *stop = 1;
    int round = 0;
    for (; round < 3; round++) {
        if (t == 0)
            atomicOr(&mine, *stop);
        __syncthreads();
        if (mine)
            break;
        __syncthreads();
    }
    rounds[blockIdx.x * 32 + t] = round;
}
