// sim --grid 1 --block 64 --arg f32*64=iota --arg f32*64=zero
__global__ void k(const float *a, float *b) {
    __shared__ float s[64];
    s[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    if (threadIdx.x > 10)
        return;
    b[threadIdx.x] = s[63 - threadIdx.x];
}
