// sim --grid 1 --block 64 --arg i32*128=iota --arg i32*128=zero
// one warp fills a buffer, the other empties it: two barriers of 64 threads, sync and arrive
__global__ void k(const int *a, int *b) {
    __shared__ int s[32];
    int lane = threadIdx.x & 31;
    if (threadIdx.x < 32) {
        for (int i = 0; i < 4; i++) {
            if (i)
                asm volatile("bar.sync 2, 64;" ::: "memory");
            s[lane] = 3 * a[i * 32 + lane];
            asm volatile("bar.arrive 1, 64;" ::: "memory");
        }
    } else {
        for (int i = 0; i < 4; i++) {
            asm volatile("bar.sync 1, 64;" ::: "memory");
            b[i * 32 + lane] = s[31 - lane];
            if (i < 3)
                asm volatile("bar.arrive 2, 64;" ::: "memory");
        }
    }
}
__global__ void check(const int *a, int *b) {
    for (int i = 0; i < 128; i++)
        if (b[i] != 3 * a[(i / 32) * 32 + 31 - i % 32])
            __trap();
}
