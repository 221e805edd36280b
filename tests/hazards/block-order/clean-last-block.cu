// sim --seed 5 --grid 16 --block 32 --arg i32*16=zero --arg u32*1=zero --arg i32*1=zero
__global__ void k(int *part, unsigned *count, int *out) {
    if (threadIdx.x)
        return;
    part[blockIdx.x] = blockIdx.x;
    __threadfence();
    if (atomicAdd(count, 1) == gridDim.x - 1) {
        __threadfence();
        int sum = 0;
        for (int i = 0; i < gridDim.x; i++)
            sum += part[i];
        *out = sum;
    }
}
