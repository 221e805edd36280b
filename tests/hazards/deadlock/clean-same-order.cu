// sim --grid 2 --block 64 --arg i32*128=uninit
__global__ void k(int *b) {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    asm volatile("bar.sync 2, 64;" ::: "memory");
    b[blockIdx.x * 64 + threadIdx.x] = 1;
}
