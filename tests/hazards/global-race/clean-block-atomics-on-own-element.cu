// sim --grid 16 --block 96 --arg i32*16=zero --arg i32*16=zero
__global__ void k(int *sum, int *most) {
    atomicAdd_block(&sum[blockIdx.x], threadIdx.x);
    atomicMax_block(&most[blockIdx.x], threadIdx.x * 5 % 96);
    __syncthreads();
    if (threadIdx.x == 7)
        sum[blockIdx.x] += most[blockIdx.x];
}
__global__ void check(int *sum, int *most) {
    for (int b = 0; b < 16; b++)
        if (sum[b] != 96 * 95 / 2 + 95)
            __trap();
}
