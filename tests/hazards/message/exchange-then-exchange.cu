// sim --grid 2 --block 64 --arg i32*1=zero --arg i32*1=zero --arg i32*64=uninit
__global__ void k(int *data, int *flag, int *out) {
    if (blockIdx.x == 0) {
        if (threadIdx.x == 0) {
            atomicExch(data, 7);
            atomicExch(flag, 1);
        }
    } else {
        if (threadIdx.x == 0)
            while (atomicAdd(flag, 0) == 0)
                ;
        __syncthreads();
        out[threadIdx.x] = *(volatile int *)data; // HAZARD global-race error
    }
}
