// sim --grid 1 --block 96 --arg i32*96=uninit
__global__ void k(int *b) {
    b[threadIdx.x] = 1;
    if (threadIdx.x >= 64)
        return;
    asm volatile("bar.sync 1, 64;" ::: "memory");
    b[threadIdx.x] = 2;
}
