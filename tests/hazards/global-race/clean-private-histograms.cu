// sim --grid 4 --block 64 --arg u32*256=uniform:const --arg u32*16=zero
__global__ void k(const unsigned *a, unsigned *bins) {
    __shared__ unsigned s[16];
    if (threadIdx.x < 16)
        s[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&s[a[blockIdx.x * 64 + threadIdx.x] % 16], 1);
    __syncthreads();
    if (threadIdx.x < 16)
        atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);
}
