// sim --grid 2 --block 64 --arg i32*64=zero --arg i32*1=zero --arg i32*64=zero
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
        if (t % 32 == 7)
            while (atomicAdd(flag, 0) == 0)
                ;
        __threadfence();
        __syncwarp();
        out[t] = data[63 - t];
    }
}
