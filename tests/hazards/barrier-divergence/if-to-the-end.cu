// sim --grid 1 --block 32 --arg i32*64=iota
// advises never `return`
__global__ void k(int *a) {
    int i = threadIdx.x;
    if (i % 2 == 0) { // no "return" here, but an `if` to the end of the kernel
        int t = a[i + 2];
        __syncthreads(); // HAZARD barrier-divergence warning
        a[i] = t;
    }
}
__device__ int twice(int x) {
    return 2 * x;
}
