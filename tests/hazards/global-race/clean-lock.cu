// sim --grid 6 --block 32 --arg i32*1=zero --arg i32*1=zero
__global__ void k(int *lock, int *sum) {
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0)
            ;
        __threadfence();
        *sum += blockIdx.x;
        __threadfence();
        atomicExch(lock, 0);
    }
}
__global__ void check(int *lock, int *sum) {
    if (*sum != 15)
        __trap();
}
