// sim --grid 2 --block 64 --device-debug --arg i32*64=iota --arg i32*1=zero
__global__ void k(const int *a, int *sum) {
    __shared__ int s[2];
    int x = a[threadIdx.x];
    for (int d = 16; d; d /= 2)
        x += __shfl_down_sync(0xffffffff, x, d);
    if (threadIdx.x % 32 == 0)
        s[threadIdx.x / 32] = x;
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(sum, s[0] + s[1]);
}
__global__ void check(int *a, int *sum) {
    if (*sum != 2 * 64 * 63 / 2)
        __trap();
}
