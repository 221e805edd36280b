// sim --grid 1 --block 64 --arg i32*64=uninit
__global__ void k(int *b) {
    if (threadIdx.x < 32) {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        asm volatile("bar.sync 2, 64;" ::: "memory");
    } else {
        asm volatile("bar.sync 2, 64;" ::: "memory");
        asm volatile("bar.sync 1, 64;" ::: "memory");
    }
    b[threadIdx.x] = 1;
}
// expect deadlock error
// says line 4
// says line 7
