// sim --grid 4 --block 64 --arg i32*4=zero --arg i32*1=uninit --arg u32*1=zero
__global__ void k(int *partial, int *out, unsigned *count) {
    if (threadIdx.x == 0) {
        __threadfence();
        partial[blockIdx.x] = blockIdx.x;
        if (atomicAdd(count, 1) == gridDim.x - 1) {
            __threadfence();
            int sum = 0;
            for (int i = 0; i < gridDim.x; i++)
                sum += partial[i]; // HAZARD global-race error
            *out = sum;
        }
    }
}
