// sim --grid 3 --block 64 --arg i32*192=uninit
__global__ void k(int *b) {
    if (blockIdx.x == 1 && threadIdx.x >= 32)
        asm volatile("bar.sync 3, 64;" ::: "memory"); // HAZARD deadlock error
    b[blockIdx.x * 64 + threadIdx.x] = 1;
}
