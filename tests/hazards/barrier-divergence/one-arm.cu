// sim --grid 1 --block 64 --arg f32*64=zero
// advises the page
__global__ void k(float *b) {
    int i = threadIdx.x;
    if (i < 32)
        __syncthreads(); // HAZARD barrier-divergence error
    b[i] = i;
}
