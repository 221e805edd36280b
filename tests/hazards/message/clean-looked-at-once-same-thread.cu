// sim --grid 2 --block 32 --arg i32*2=zero --arg i32*2=zero --arg i32*2=zero
// both builds
__global__ void k(volatile int *data, volatile int *flag, int *out) {
    if (threadIdx.x)
        return;
    data[blockIdx.x] = 7;
    flag[blockIdx.x] = 1;
    if (flag[blockIdx.x])
        out[blockIdx.x] = data[blockIdx.x];
}
