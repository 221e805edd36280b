// sim --grid 2 --block 32 --arg i32*1=zero --arg i32*1=zero --arg i32*1=zero
// says the flag can be seen before the data
__global__ void k(volatile int *data, volatile int *flag, int *out) {
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        *data = 7;
        *flag = 3;
        return;
    }
    if (*flag != 3)
        return;
    *out = *data; // HAZARD global-race error
}
