// sim --grid 1 --block 256 --arg i32*32=uninit
__global__ void k(int *b) {
    __shared__ int lock, sum[32];
    int lane = threadIdx.x % 32;
    if (threadIdx.x < 32)
        sum[lane] = 0;
    if (threadIdx.x == 0)
        lock = 0;
    __syncthreads();
    if (lane == 0) {
        while (atomicCAS(&lock, 0, 1) != 0)
            ;
        __threadfence_block();
    }
    __syncwarp();
    sum[lane] += threadIdx.x;
    __threadfence_block();
    __syncwarp();
    if (lane == 0) {
        __threadfence_block();
        atomicExch(&lock, 0);
    }
    __syncthreads();
    if (threadIdx.x < 32)
        b[lane] = sum[31 - lane];
}
