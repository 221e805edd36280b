// sim --grid 1 --block 32 --arg i32*32=iota --arg i32*8=zero
__global__ void k(const int *a, int *b) {
    __shared__ int bins[8];
    atomicAdd(&bins[a[threadIdx.x] & 7], 1); // HAZARD uninitialized-read error
    __syncthreads();
    if (threadIdx.x < 8)
        b[threadIdx.x] = bins[threadIdx.x];
}
