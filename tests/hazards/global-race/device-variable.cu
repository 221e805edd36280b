// sim --grid 4 --block 32 --arg i32*4=uninit
// says total
__device__ int total;
__global__ void k(int *b) {
    if (threadIdx.x == 0) {
        total += blockIdx.x; // HAZARD global-race error
        b[blockIdx.x] = 1;
    }
}
