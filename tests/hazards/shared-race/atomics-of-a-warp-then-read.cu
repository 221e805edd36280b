// sim --grid 1 --block 32 --arg i32*1=uninit
__global__ void k(int *b) {
    __shared__ int count;
    if (threadIdx.x == 0)
        count = 0;
    __syncthreads();
    atomicAdd(&count, 1);
    if (threadIdx.x == 31)
        *b = count; // HAZARD shared-race error
}
