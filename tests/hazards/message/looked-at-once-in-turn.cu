// sim --grid 4 --block 32 --arg i32*4=zero --arg i32*4=zero --arg i32*16=zero
// says the flag can be seen before the data
__global__ void k(volatile int *data, volatile int *flag, int *out) {
    if (threadIdx.x)
        return;
    data[blockIdx.x] = 7;
    flag[blockIdx.x] = 1;
    for (int i = 0; i < 4; i++)
        if (flag[i])
            out[blockIdx.x * 4 + i] = data[i]; // HAZARD global-race error
}
