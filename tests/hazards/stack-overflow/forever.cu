// sim --grid 1 --block 32 --arg i32*32=iota
__device__ __noinline__ int down(volatile int *a, int n) {
    return a[n & 31] + down(a, n + 1) + 1; // HAZARD stack-overflow error
}
__global__ void k(volatile int *a) {
    a[threadIdx.x] = down(a, threadIdx.x);
}
// maybe global-race
