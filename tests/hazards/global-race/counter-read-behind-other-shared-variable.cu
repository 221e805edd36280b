// sim --grid 5 --block 64 --arg i32*320=iota --arg i32*320=zero --arg i32*1=zero --arg i32*1=zero
// The block that reads the counter is the last by its index: what decides is not what was added.
__global__ void k(const int *in, int *out, int *n, int *total) {
    __shared__ int count, base;
    if (threadIdx.x == 0)
        count = 0;
    __syncthreads();
    int x = in[blockIdx.x * 64 + threadIdx.x], mine = -1;
    if (x % 3 == 0)
        mine = atomicAdd(&count, 1);
    __syncthreads();
    if (threadIdx.x == 0)
        base = atomicAdd(n, count);
    __syncthreads();
    if (mine >= 0)
        out[base + mine] = x;
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0 && count > 0)
        *total = *n; // HAZARD global-race error
}
