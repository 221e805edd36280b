// sim --grid 1 --block 96 --arg i32*96=iota --arg i32*3=zero
__global__ void k(const int *a, int *b) {
    int i = threadIdx.x;
    int count = __syncthreads_count(a[i] % 3 == 0);
    int all = __syncthreads_and(a[i] < 96);
    int any = __syncthreads_or(a[i] == 95);
    if (i == 0) {
        b[0] = count;
        b[1] = all;
        b[2] = any;
    }
}
__global__ void check(const int *a, int *b) {
    if (b[0] != 32 || !b[1] || !b[2])
        __trap();
}
