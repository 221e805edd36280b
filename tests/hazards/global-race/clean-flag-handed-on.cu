// sim --grid 3 --block 64 --arg i32*1=zero --arg i32*1=zero --arg i32*128=zero
// One thread of each block polls, and tells the others by shared memory what it has found.
__global__ void k(volatile int *ready, int *data, int *out) {
    __shared__ int told;
    if (blockIdx.x == 0) {
        if (threadIdx.x == 0) {
            *data = 42;
            __threadfence();
            *ready = 1;
        }
        return;
    }
    for (bool done = false; !done;) {
        if (threadIdx.x == 0)
            told = *ready;
        __syncthreads();
        done = told;
        __syncthreads();
    }
    __threadfence();
    out[(blockIdx.x - 1) * blockDim.x + threadIdx.x] = *data;
}
