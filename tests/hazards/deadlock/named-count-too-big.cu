// sim --grid 1 --block 64 --arg i32*64=uninit
// says waits for 96 threads
__global__ void k(int *b) {
    b[threadIdx.x] = 1;
    asm volatile("bar.sync 1, 96;" ::: "memory"); // HAZARD deadlock error
}
