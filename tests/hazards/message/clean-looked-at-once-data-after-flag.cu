// sim --grid 2 --block 32 --arg i32*1=zero --arg i32*1=zero --arg i32*1=zero
// What is written after the flag is not announced by it.
__global__ void k(volatile int *data, volatile int *flag, int *out) {
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        *flag = 1;
        __threadfence();
        *data = 7;
    } else if (*flag) {
        *out = *data;
    }
}
