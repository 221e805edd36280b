// sim --grid 2 --block 64 --arg i32*64=zero --arg i32*1=zero --arg i32*64=uninit
// Strong loads after a barrier come after the look, on every card: no cache holds old data for them.
__global__ void k(volatile int *data, volatile int *flag, int *out) {
    if (blockIdx.x == 0) {
        data[threadIdx.x] = threadIdx.x;
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0)
            *flag = 1;
        return;
    }
    if (threadIdx.x == 0)
        while (*flag == 0)
            ;
    __syncthreads();
    out[threadIdx.x] = data[threadIdx.x];
}
