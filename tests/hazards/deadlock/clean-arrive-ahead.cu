// sim --grid 1 --block 64 --arg i32*64=uninit
__global__ void k(int *b) {
    if (threadIdx.x < 32) {
        for (int i = 1; i < 5; i++)
            asm volatile("bar.arrive %0, 64;" ::"r"(i) : "memory");
    } else {
        for (int i = 1; i < 5; i++)
            asm volatile("bar.sync %0, 64;" ::"r"(i) : "memory");
    }
    b[threadIdx.x] = 1;
}
