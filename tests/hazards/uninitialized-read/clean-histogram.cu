// sim --grid 2 --block 64 --arg i32*128=iota --arg i32*8=zero
__global__ void k(const int *a, int *b) {
    __shared__ int bins[8];
    if (threadIdx.x < 8)
        bins[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&bins[a[blockIdx.x * 64 + threadIdx.x] & 7], 1);
    __syncthreads();
    if (threadIdx.x < 8)
        atomicAdd(&b[threadIdx.x], bins[threadIdx.x]);
}
__global__ void check(const int *a, int *b) {
    for (int i = 0; i < 8; i++)
        if (b[i] != 16)
            __trap();
}
