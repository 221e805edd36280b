// sim --grid 2 --block 64 --arg i32*64=uninit --arg i32*1=zero --arg i32*64=uninit
// advises between the load of the flag and the loads of the data
__global__ void k(int *data, volatile int *flag, int *out) {
    if (blockIdx.x == 0) {
        data[threadIdx.x] = threadIdx.x;
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            *flag = 1;
        }
    } else {
        if (threadIdx.x == 0)
            while (*flag == 0)
                ;
        __syncthreads();
        out[threadIdx.x] = data[threadIdx.x]; // HAZARD global-race error
    }
}
