// sim --grid 1 --block 32 --arg f32*32=zero
__global__ void k(float *b) {
    __shared__ float s[32];
    int i = threadIdx.x;
    s[i] = i;
    if (i < 5)
        __syncthreads(); // HAZARD barrier-divergence error
    b[i] = s[31 - i];
}
// maybe shared-race
