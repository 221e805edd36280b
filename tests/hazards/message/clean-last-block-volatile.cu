// sim --grid 4 --block 32 --arg i32*4=zero --arg u32*1=zero --arg i32*32=uninit
// both builds
__global__ void k(volatile int *part, unsigned *count, int *out) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        part[blockIdx.x] = blockIdx.x;
        __threadfence();
        last = atomicInc(count, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x < gridDim.x)
        out[threadIdx.x] = part[threadIdx.x];
}
