// sim --grid 4 --block 64 --arg f32*256=zero
__global__ void k(float *b) {
    __shared__ float s[64];
    if (blockIdx.x == 2)
        return;
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    b[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];
}
