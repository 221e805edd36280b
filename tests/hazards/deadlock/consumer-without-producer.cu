// sim --grid 1 --block 64 --arg i32*64=uninit
// says 32 have come and no more can
__global__ void k(int *b) {
    if (threadIdx.x < 32)
        asm volatile("bar.sync 1, 64;" ::: "memory"); // HAZARD deadlock error
    b[threadIdx.x] = 1;
}
