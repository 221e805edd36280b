// sim --grid 1 --block 64 --arg f32*64=zero
__global__ void k(float *b) {
    __shared__ float s[64];
    int i = threadIdx.x;
    s[i] = 0;
#pragma unroll 1
    for (int j = 0; j < 1 + i / 32; j++) {
        s[i] += j;
        __syncthreads(); // HAZARD barrier-divergence error
    }
    b[i] = s[i];
}
