// sim --grid 1 --block 64 --arg i32*1=uninit
__global__ void k(int *b) {
    __shared__ int count;
    if (threadIdx.x == 0)
        count = 0;
    atomicAdd(&count, 1); // HAZARD shared-race error
    __syncthreads();      // maybe uninitialized-read
    if (threadIdx.x == 0)
        *b = count;
}
