// sim --grid 4 --block 64 --arg i32*256=uninit --arg i32*64=uninit --arg u32*1=zero
__global__ void k(int *partial, int *out, unsigned *count) {
    __shared__ unsigned ticket;
    __threadfence();
    partial[blockIdx.x * 64 + threadIdx.x] = threadIdx.x; // too late for the fence
    __syncthreads();
    if (threadIdx.x == 0)
        ticket = atomicAdd(count, 1) % gridDim.x;
    __syncthreads();
    if (ticket == gridDim.x - 1) {
        int sum = 0;
        for (int i = 0; i < gridDim.x; i++)
            sum += partial[i * 64 + threadIdx.x]; // HAZARD global-race error
        out[threadIdx.x] = sum;
    }
}
