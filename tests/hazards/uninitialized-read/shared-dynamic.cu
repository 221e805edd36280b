// sim --grid 1 --block 32 --shared 256 --arg f32*32=zero
__global__ void k(float *b) {
    extern __shared__ float s[];
    s[threadIdx.x] = 1;
    __syncthreads();
    b[threadIdx.x] = s[threadIdx.x + 32]; // HAZARD uninitialized-read error
}
