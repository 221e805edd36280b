// sim --grid 1 --block 32 --arg f32*32=zero
__device__ float table[31];
__global__ void k(float *b) {
    table[threadIdx.x] = 1; // HAZARD out-of-bounds error
    b[threadIdx.x] = threadIdx.x < 31 ? table[threadIdx.x] : 0;
}
