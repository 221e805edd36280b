// sim --grid 1 --block 128 --arg i32*128=uninit
__global__ void k(int *b) {
    __shared__ int base;
    if (threadIdx.x == 0)
        base = 3;
    __syncthreads();
    b[threadIdx.x] = base;
    if (threadIdx.x == 127)
        base = 4; // HAZARD shared-race error
    __syncthreads();
    b[threadIdx.x] += base;
}
// maybe shared-race
