// sim --grid 4 --block 32 --arg i32*128=iota --arg i32*128=uninit --arg u32*1=zero
__device__ void barrier(unsigned *count, unsigned goal) {
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(count, 1);
        while (*(volatile unsigned *)count < goal)
            ;
        __threadfence();
    }
    __syncthreads();
}
__global__ void k(int *a, int *b, unsigned *count) {
    int i = blockIdx.x * 32 + threadIdx.x;
    b[i] = a[127 - i];
    barrier(count, 4);
    a[i] = b[(i + 50) % 128];
    barrier(count, 8);
    b[i] = a[127 - i];
}
