// sim --grid 1 --block 128 --arg i32*128=uninit
__global__ void k(int *b) {
    __shared__ int base;
    if (threadIdx.x == 0)
        base = 3;
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        sum += base;
        __syncthreads();
        if (threadIdx.x == 32 * i)
            base = i;
        __syncthreads();
    }
    b[threadIdx.x] = sum;
}
