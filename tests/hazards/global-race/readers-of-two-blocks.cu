// sim --grid 3 --block 64 --arg i32*1=zero --arg i32*192=uninit
__global__ void k(int *scale, int *b) {
    b[blockIdx.x * 64 + threadIdx.x] = *scale;
    __syncthreads();
    if (blockIdx.x == 2 && threadIdx.x == 0)
        *scale = 9; // HAZARD global-race error
}
