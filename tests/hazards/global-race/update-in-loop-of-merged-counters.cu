// sim --grid 2 --block 32 --arg 'i32[64]=iota' --arg 'i32[64]=zero'
// advises an atomic such as `atomicAdd()`
// advises never one writer
__global__ void k(const int *x, int *sum) {
    __shared__ int s[64];
    for (int i = threadIdx.x; i < 64; i += blockDim.x)
        s[i] = x[(i + blockIdx.x) % 64];
    __syncthreads();
    for (int i = threadIdx.x; i < 64; i += blockDim.x)
        sum[i] += s[i]; // HAZARD global-race error
}
