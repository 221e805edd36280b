// sim --grid 1 --block 32 --arg f32*32=zero
__constant__ float c[24] = {1, 2, 3};
__global__ void k(float *b) {
    b[threadIdx.x] = c[threadIdx.x]; // HAZARD out-of-bounds error
}
