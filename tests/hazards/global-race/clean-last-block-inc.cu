// sim --grid 6 --block 64 --arg i32*6=uninit --arg i32*6=uninit --arg u32*1=zero
__global__ void k(int *partial, int *out, unsigned *count) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = blockIdx.x * 3;
        __threadfence();
        last = atomicInc(count, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x < gridDim.x)
        out[threadIdx.x] = partial[threadIdx.x];
}
