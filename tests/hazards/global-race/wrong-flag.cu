// sim --grid 2 --block 32 --arg i32*2=zero --arg i32*2=zero --arg i32*1=uninit
__global__ void k(int *data, int *flag, int *out) {
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        data[0] = 7;
        __threadfence();
        atomicExch(&flag[0], 1);
        data[1] = 8;
        atomicExch(&flag[1], 1);
    } else {
        while (atomicAdd(&flag[0], 0) == 0)
            ;
        __threadfence();
        *out = data[0] + data[1]; // HAZARD global-race error
    }
}
