// sim --grid 1 --block 128 --arg u32*128=uniform:const --arg u32*16=uninit
__global__ void k(const unsigned *a, unsigned *b) {
    __shared__ unsigned bins[16], most;
    if (threadIdx.x < 16)
        bins[threadIdx.x] = 0;
    if (threadIdx.x == 0)
        most = 0;
    __syncthreads();
    atomicAdd(&bins[a[threadIdx.x] % 16], 1);
    atomicMax(&most, a[threadIdx.x]);
    __syncthreads();
    if (threadIdx.x < 16)
        b[threadIdx.x] = bins[threadIdx.x] + most;
}
