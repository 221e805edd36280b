// sim --grid 1 --block 64 --arg i32*64=uninit
__global__ void k(int *b) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t; // HAZARD shared-race error
    if (t < 32) {
        asm volatile("bar.arrive 1, 64;" ::: "memory");
        b[t] = s[t + 32];
    } else {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        b[t] = s[t - 32];
    }
}
// maybe uninitialized-read
