// sim --grid 4 --block 32 --arg i32*4=zero --arg i32*1=zero --arg i32*1=zero
// both builds
__global__ void k(volatile int *sums, unsigned *count, int *out) {
    if (threadIdx.x)
        return;
    sums[blockIdx.x] = blockIdx.x;
    __threadfence();
    if (atomicInc(count, gridDim.x - 1) == gridDim.x - 1) {
        int sum = 0;
        for (int i = 0; i < 4; i++)
            sum += sums[i];
        *out = sum;
    }
}
