// sim --seed 7 --grid 12 --block 32 --arg i32*1=zero --arg i32*1=zero --arg i32*12=zero
__global__ void k(int *data, volatile int *ready, int *out) {
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        *data = 5;
        __threadfence();
        *ready = 1;
    } else {
        while (!*ready) // HAZARD block-order warning
            ;
        __threadfence();
        out[blockIdx.x] = *data;
    }
}
