// sim --grid 5 --block 32 --arg i32*160=uninit --arg u32*1=zero --arg i32*1=uninit
__global__ void k(int *data, unsigned *count, int *sum) {
    __shared__ bool last;
    data[blockIdx.x * 32 + threadIdx.x] = threadIdx.x;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicAdd(count, 1) == gridDim.x - 1;
    __syncthreads();
    if (last && threadIdx.x == 1) {
        *count = 0;
        *sum = data[0] + data[159];
    }
}
