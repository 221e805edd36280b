// sim --grid 1 --block 64 --arg i32*1=uninit
__global__ void k(int *b) {
    __shared__ int count;
    if (threadIdx.x == 0)
        count = 0;
    __syncthreads();
    count++; // HAZARD shared-race error
    __syncthreads();
    if (threadIdx.x == 0)
        *b = count;
}
