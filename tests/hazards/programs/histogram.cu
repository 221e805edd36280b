// sim --grid 4 --block 128 --arg u32*4096=uniform:const --arg u32*64=zero --arg i32=4096
__global__ void k(const unsigned *data, unsigned *bins, int n) {
    __shared__ unsigned s[64];
    for (int i = threadIdx.x; i < 64; i += blockDim.x)
        s[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&s[data[i] >> 26], 1);
    __syncthreads();
    for (int i = threadIdx.x; i < 64; i += blockDim.x)
        atomicAdd(&bins[i], s[i]);
}
__global__ void check(const unsigned *data, unsigned *bins, int n) {
    for (int j = 0; j < 64; j++) {
        unsigned count = 0;
        for (int i = 0; i < n; i++)
            count += data[i] / 67108864u == j;
        if (count != bins[j])
            __trap();
    }
}
