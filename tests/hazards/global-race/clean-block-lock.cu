// sim --grid 4 --block 64 --arg i32*1=zero --arg i32*64=zero
__global__ void k(int *lock, int *sums) {
    if (threadIdx.x == 0) {
        while (atomicExch(lock, 1) != 0)
            ;
        __threadfence();
    }
    __syncthreads();
    sums[63 - threadIdx.x] += threadIdx.x;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        atomicExch(lock, 0);
}
