// sim --grid 1 --block 64 --arg i32*32=iota:const --arg i32*64=uninit
__global__ void k(const int *a, int *b) {
    __shared__ int s[32];
    int t = threadIdx.x % 32;
    if (threadIdx.x < 32) {
#pragma unroll 1
        for (int i = 0; i < 4; i++) {
            asm volatile("bar.sync 2, 64;" ::: "memory"); // "empty"
            s[t] = a[t] + i;
            asm volatile("bar.arrive 1, 64;" ::: "memory");
        }
        b[t] = 1;
    } else {
#pragma unroll 1
        for (int i = 0; i < 4; i++) {
            asm volatile("bar.sync 1, 64;" ::: "memory"); // "full"
            b[threadIdx.x] = s[t];
            asm volatile("bar.arrive 2, 64;" ::: "memory");
        }
    }
}
// expect deadlock error
