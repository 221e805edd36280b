// sim --grid 1 --block 64 --arg i32*64=uninit
// says no barrier orders them
__global__ void k(int *b) {
    __shared__ int s[32];
    int t = threadIdx.x;
    if (t < 32) {
        s[t] = t;
        asm volatile("bar.arrive 1, 64;" ::: "memory");
        s[t] = t + 1;
        b[t] = t;
    } else {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        b[t] = s[63 - t]; // HAZARD shared-race error
    }
}
