// sim --grid 2 --block 32 --arg i32*32=zero --arg i32*1=zero --arg i32*32=zero
__global__ void k(int *data, int *flag, int *out) {
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        data[t] = t;
        __syncthreads();
        if (t == 0) {
            __threadfence();
            atomicExch(flag, 1);
        }
    } else {
        if (t == 0)
            while (atomicAdd(flag, 0) == 0)
                ;
        __threadfence();
        out[t] = data[t]; // HAZARD global-race error
    }
}
