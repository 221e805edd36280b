// sim --grid 1 --block 64 --arg f32*64=zero
// says s[64]
__global__ void k(float *b) {
    __shared__ float s[64];
    int i = threadIdx.x;
    s[i + 1] = i; // HAZARD out-of-bounds error
    __syncthreads();
    b[i] = i ? s[i] : 0;
}
