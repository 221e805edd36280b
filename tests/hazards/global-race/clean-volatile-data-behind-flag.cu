// sim --grid 2 --block 1 --arg i32*1=zero --arg i32*2=zero
__device__ volatile int ready;
__global__ void k(volatile int *cell, int *out) {
    if (blockIdx.x == 0) {
        *cell = 5;
        __threadfence();
        ready = 1;
    } else {
        while (!ready)
            ;
        __threadfence();
        out[1] = *cell + 1;
    }
}
