// sim --grid 4 --block 64 --arg f32*64=iota --arg f32*256=zero
// all threads of a block agree
__global__ void k(const float *a, float *b) {
    __shared__ float s[64];
    if (blockIdx.x & 1) {
        s[threadIdx.x] = a[threadIdx.x];
        __syncthreads();
        b[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];
    } else {
        for (unsigned i = 0; i < blockIdx.x; i++)
            __syncthreads();
    }
}
