// sim --grid 1 --block 128 --arg i32*128=iota:const --arg i32*128=uninit
__global__ void k(const int *a, int *b) {
    __shared__ int s[128];
    int t = threadIdx.x;
    for (int i = 0; i < 3; i++) {
        s[t] = a[t] + i;
        asm volatile("bar.sync %0, 64;" ::"r"(1 + t / 64) : "memory");
        b[t] = s[t / 64 * 64 + 63 - t % 64];
        asm volatile("bar.sync %0, 64;" ::"r"(1 + t / 64) : "memory");
    }
}
