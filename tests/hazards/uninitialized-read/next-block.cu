// sim --grid 2 --block 32 --arg i32*64=zero
// what the first block left in shared memory is no value for the second
__global__ void k(int *b) {
    __shared__ int s[32];
    if (blockIdx.x == 0)
        s[threadIdx.x] = 1;
    __syncthreads();
    b[blockIdx.x * 32 + threadIdx.x] = s[threadIdx.x]; // HAZARD uninitialized-read error
}
