// sim --grid 1 --block 32 --arg f32*32=zero
// advises Give the array a size
__global__ void k(float *b) {
    extern __shared__ float s[];
    int i = threadIdx.x;
    s[i] = i; // HAZARD out-of-bounds error
    __syncthreads();
    b[i] = s[i ^ 1]; // HAZARD out-of-bounds error
}
