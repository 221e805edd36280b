// sim --grid 1 --block 128 --arg i32*1=uninit
// says sum
__global__ void k(int *b) {
    __shared__ int lock, sum;
    if (threadIdx.x == 0)
        lock = sum = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        while (atomicCAS(&lock, 0, 1) != 0)
            ;
        sum += threadIdx.x + 1; // HAZARD shared-race error
        atomicExch(&lock, 0);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        *b = sum;
}
// maybe shared-race
