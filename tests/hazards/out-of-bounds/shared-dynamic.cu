// sim --grid 1 --block 64 --shared 252 --arg f32*64=zero
__global__ void k(float *b) {
    extern __shared__ float s[];
    int i = threadIdx.x;
    s[i] = i; // HAZARD out-of-bounds error
    __syncthreads();
    b[i] = i < 63 ? s[i] : 0;
}
