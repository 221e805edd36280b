// sim --grid 4 --block 64 --arg i32*1=zero --arg i32*256=uninit --arg u32*1=zero
__global__ void k(int *scale, int *out, unsigned *count) {
    __shared__ bool last;
    out[blockIdx.x * 64 + threadIdx.x] = *scale;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicAdd(count, 1) == gridDim.x - 1;
    __syncthreads();
    if (last && threadIdx.x == 0) {
        __threadfence();
        *scale += 1;
    }
}
