// sim --grid 1 --block 64 --arg i32*256=iota:const --arg i32*256=uninit
__device__ void arrive(int id) { asm volatile("bar.arrive %0, 64;" ::"r"(id) : "memory"); }
__device__ void wait(int id) { asm volatile("bar.sync %0, 64;" ::"r"(id) : "memory"); }
__global__ void k(const int *a, int *b) {
    __shared__ int s[2][32];
    int t = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        for (int i = 0; i < 8; i++) {
            if (i >= 2)
                wait(3 + i % 2);
            s[i % 2][t] = a[i * 32 + t];
            arrive(1 + i % 2);
        }
    } else {
        for (int i = 0; i < 8; i++) {
            wait(1 + i % 2);
            b[i * 32 + t] = s[i % 2][31 - t];
            if (i < 6)
                arrive(3 + i % 2);
        }
    }
}
__global__ void check(const int *a, int *b) {
    for (int i = 0; i < 256; i++)
        if (b[i] != (i ^ 31))
            __trap();
}
