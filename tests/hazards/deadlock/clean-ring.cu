// sim --grid 1 --block 96 --arg i32*96=uninit
__global__ void k(int *b) {
    int w = threadIdx.x / 32;
    if (w == 0)
        asm volatile("bar.arrive 2, 64;" ::: "memory");
    asm volatile("bar.sync %0, 64;" ::"r"(1 + w) : "memory");
    if (w != 0)
        asm volatile("bar.arrive %0, 64;" ::"r"(1 + (w + 1) % 3) : "memory");
    b[threadIdx.x] = 1;
}
