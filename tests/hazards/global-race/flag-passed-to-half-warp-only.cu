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
        if (t == 3)
            while (atomicAdd(flag, 0) == 0)
                ;
        __threadfence();
        __syncwarp(t < 16 ? 0x0000ffff : 0xffff0000);
        if (t == 15)
            out[t] = data[2 * t];
        if (t == 16)
            out[t] = data[0]; // HAZARD global-race error
    }
}
