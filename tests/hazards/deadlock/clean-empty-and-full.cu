// sim --grid 1 --block 64 --arg i32*32=iota:const --arg i32*64=uninit
__global__ void k(const int *a, int *b) {
    __shared__ int s[32];
    int t = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        for (int i = 0; i < 4; i++) {
            asm volatile("bar.sync 2, 64;" ::: "memory");
            s[t] = a[t] + i;
            asm volatile("bar.arrive 1, 64;" ::: "memory");
        }
        b[t] = 1;
    } else {
        asm volatile("bar.arrive 2, 64;" ::: "memory");
        for (int i = 0; i < 4; i++) {
            asm volatile("bar.sync 1, 64;" ::: "memory");
            b[threadIdx.x] = s[31 - t];
            if (i < 3)
                asm volatile("bar.arrive 2, 64;" ::: "memory");
        }
    }
}
