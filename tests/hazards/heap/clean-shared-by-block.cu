// sim --grid 2 --block 64 --arg i32*128=uninit
__global__ void k(int *out) {
    __shared__ int *p;
    if (threadIdx.x == 0)
        p = (int *)malloc(64 * sizeof(int));
    __syncthreads();
    p[threadIdx.x] = threadIdx.x * 3;
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = p[63 - threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0)
        free(p);
}
__global__ void check(int *out) {
    for (int i = 0; i < 128; i++)
        if (out[i] != 3 * (63 - i % 64))
            __trap();
}
