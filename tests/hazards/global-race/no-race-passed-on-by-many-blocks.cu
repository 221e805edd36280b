// sim --grid 200 --block 32 --arg i32*200=zero --arg i32*2=zero --arg i32*1=uninit
// Each block waits for the one before it: a flag passed on far more often than a search may be deep.
__global__ void k(volatile int *flags, int *data, int *out) {
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        data[0] = 1;
        data[1] = 2;
    } else {
        while (flags[blockIdx.x - 1] == 0) { // HAZARD block-order warning
        }
        __threadfence();
    }
    __threadfence();
    flags[blockIdx.x] = 1;
    if (blockIdx.x == gridDim.x - 1)
        *out = data[0] + data[1];
}
