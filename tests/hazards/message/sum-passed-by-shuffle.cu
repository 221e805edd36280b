// sim --grid 2 --block 32 --arg i32*2=zero --arg i32*32=uninit
__global__ void k(volatile int *w, int *out) {
    int sum = 0;
    if (blockIdx.x == 0) {
        if (threadIdx.x == 0) {
            w[0] = 7;
            w[1] = 1;
        }
    } else {
        if (threadIdx.x == 0) {
            while (w[1] == 0)
                ;
            sum = w[0]; // HAZARD global-race error
        }
        out[threadIdx.x] = __shfl_sync(~0u, sum, 0);
    }
}
