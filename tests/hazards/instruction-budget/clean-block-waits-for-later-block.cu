// sim --grid 8 --block 32 --arg i32*8=zero --budget 9000000
// each block waits for the next one: they must all be resident
__global__ void k(int *flag) {
    if (threadIdx.x == 0) {
        if (blockIdx.x + 1 < gridDim.x)
            while (atomicAdd(&flag[blockIdx.x + 1], 0) == 0)
                ;
        __threadfence();
        atomicExch(&flag[blockIdx.x], 1);
    }
}
__global__ void check(int *flag) {
    for (int i = 0; i < 8; i++)
        if (flag[i] != 1)
            __trap();
}
