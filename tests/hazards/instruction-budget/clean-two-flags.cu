// sim --grid 2 --block 32 --budget 3000000 --arg i32*2=zero
__global__ void k(volatile int *flag) {
    if (threadIdx.x)
        return;
    int own = blockIdx.x;
    flag[own] = 1;
    while (!flag[1 - own])
        ;
}
