// sim --grid 4 --block 32 --arg i32*4=zero --arg u32*1=zero --arg i32*32=uninit
__global__ void k(volatile int *part, unsigned *count, int *out) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        part[blockIdx.x] = blockIdx.x;
        last = atomicAdd(count, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x < gridDim.x)
        out[threadIdx.x] = part[threadIdx.x]; // HAZARD global-race error
}
