// sim --grid 1 --block 64 --arg f32*64=zero
__global__ void k(float *b) {
    __shared__ float s[64];
    int i = threadIdx.x;
    if (i < 32)
        s[i] = i;
    __syncthreads();
    b[i] = s[i]; // HAZARD uninitialized-read error
}
