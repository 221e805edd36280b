// sim --grid 1 --block 64 --arg i32*64=uninit
__global__ void k(int *b) {
    if (threadIdx.x < 32) {
        for (int i = 0; i < 3; i++)
            asm volatile("bar.arrive 1, 64;" ::: "memory");
        b[threadIdx.x] = 1;
        return;
    }
#pragma unroll 1
    for (int i = 0; i < 4; i++)
        asm volatile("bar.sync 1, 64;" ::: "memory");
    b[threadIdx.x] = 2;
}
// expect deadlock error
