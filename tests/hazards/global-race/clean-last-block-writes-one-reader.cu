// sim --grid 4 --block 64 --arg i32*1=zero --arg i32*4=uninit --arg u32*1=zero
__global__ void k(int *scale, int *out, unsigned *count) {
    if (threadIdx.x == 0) {
        out[blockIdx.x] = *scale;
        __threadfence();
        if (atomicAdd(count, 1) == gridDim.x - 1) {
            __threadfence();
            *scale += 1;
        }
    }
}
