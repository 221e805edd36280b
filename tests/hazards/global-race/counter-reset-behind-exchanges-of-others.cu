// sim --grid 5 --block 64 --arg i32*1=zero
__global__ void k(int *c) {
    __shared__ int seen[4], last;
    if (threadIdx.x == 0) {
        atomicExch(&seen[blockIdx.x & 3], atomicAdd(c, 1));
        last = blockIdx.x == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0)
        *c = 0; // HAZARD global-race error
}
