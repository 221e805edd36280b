// sim --grid 1 --block 64 --arg i32*1=uninit
__global__ void k(int *b) {
    __shared__ int lock, sum;
    if (threadIdx.x == 0)
        lock = sum = 0;
    __syncthreads();
    bool done = false;
    while (!done) {
        if (atomicCAS(&lock, 0, 1) == 0) {
            __threadfence_block();
            sum += threadIdx.x;
            __threadfence_block();
            atomicExch(&lock, 0);
            done = true;
        }
    }
    __syncthreads();
    if (threadIdx.x == 0)
        *b = sum;
}
__global__ void check(int *b) {
    if (*b != 63 * 32)
        __trap();
}
