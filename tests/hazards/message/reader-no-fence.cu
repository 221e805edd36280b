// sim --grid 2 --block 32 --arg i32*1=zero --arg i32*1=zero --arg i32*1=zero
// both builds
// says the load in line 15 that tells of the write orders nothing after it without a fence
// advises __threadfence()
__global__ void k(volatile int *data, volatile int *flag, int *out) {
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        *data = 7;
        __threadfence();
        *flag = 1;
        return;
    }
    // a fence is missing after the loop
    while (*flag == 0)
        ;
    *out = *data; // HAZARD global-race error
}
