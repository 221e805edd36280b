// sim --grid 1 --block 32 --arg i32*32=iota
__device__ __noinline__ int must(int x) {
    if (x > 30)
        __trap(); // HAZARD trap error
    return x;
}
__global__ void k(int *a) {
    a[threadIdx.x] = must(a[threadIdx.x]);
}
