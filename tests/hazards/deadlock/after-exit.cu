// sim --grid 1 --block 96 --arg i32*96=uninit
__global__ void k(int *b) {
    b[threadIdx.x] = 1;
    if (threadIdx.x >= 64)
        return;
    asm volatile("bar.sync 1, 96;" ::: "memory"); // HAZARD deadlock error
    b[threadIdx.x] = 2;
}
