// sim --seed 3 --grid 12 --block 32 --arg i32*384=iota --arg i32*384=uninit --arg u32*1=zero
__global__ void k(int *a, int *b, unsigned *count) {
    int i = blockIdx.x * 32 + threadIdx.x;
    b[i] = a[383 - i];
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(count, 1);
        while (*(volatile unsigned *)count < gridDim.x)
            ;
        __threadfence();
    }
    __syncthreads();
    a[i] = b[(i + 50) % 384];
}
