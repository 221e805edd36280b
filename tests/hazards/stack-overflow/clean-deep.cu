// sim --grid 1 --block 32 --arg i32*32=iota
struct node {
    int value, left, right;
};
__device__ __noinline__ int depth(int n, int *log) {
    log[n & 31] = n;
    return n <= 1 ? 0 : 1 + max(depth(n / 2, log), depth(n - n / 2, log));
}
__global__ void k(int *a) {
    int log[32];
    a[threadIdx.x] = depth(200 + a[threadIdx.x], log);
}
__global__ void check(int *a) {
    if (a[0] != 8 || a[31] != 8)
        __trap();
}
