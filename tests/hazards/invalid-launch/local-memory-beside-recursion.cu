// sim --grid 1 --block 32 --arg i32*32=zero --arg i32=3
// expect invalid-launch error
// the stack of a kernel that recurses is 64 KiB a thread; its own frame alone needs more
__device__ __noinline__ int rec(int n) {
    return n <= 1 ? 1 : n + rec(n - 1) * rec(n - 2);
}
__global__ void k(int *out, int n) {
    int big[20000];
    for (int i = 0; i < n; i++)
        big[(i * 77) % 20000] = rec(i);
    out[threadIdx.x] = big[n];
}
