// sim --grid 1 --block 32 --arg f32*32=iota:const --arg f32*32=zero
__global__ void k(const float *a, float *b) {
    __shared__ float s[32];
    s[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    s[threadIdx.x] += 1;
    b[threadIdx.x] = s[threadIdx.x];
}
