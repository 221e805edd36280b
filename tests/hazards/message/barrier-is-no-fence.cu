// sim --grid 2 --block 64 --arg i32*64=zero --arg i32*1=zero --arg i32*64=uninit
__global__ void k(volatile int *data, volatile int *flag, int *out) {
    if (blockIdx.x == 0) {
        data[threadIdx.x] = threadIdx.x;
        __syncthreads();
        if (threadIdx.x == 0)
            *flag = 1;
    } else {
        if (threadIdx.x == 0)
            while (*flag == 0)
                ;
        __syncthreads();
        out[threadIdx.x] = data[threadIdx.x]; // HAZARD global-race error
    }
}
