// sim --grid 8 --block 64 --arg i32*512=iota:const --arg i32*9=zero --arg u32*1=zero
__global__ void k(const int *a, int *partial, unsigned *done) {
    __shared__ int s[64];
    __shared__ bool last;
    int t = threadIdx.x;
    s[t] = a[blockIdx.x * 64 + t];
    __syncthreads();
    for (int d = 32; d > 0; d /= 2) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) {
        ((volatile int *)partial)[blockIdx.x] = s[0];
        __threadfence();
        last = atomicAdd(done, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        __threadfence();
        int sum = 0;
        for (int i = 0; i < gridDim.x; i++)
            sum += ((volatile int *)partial)[i];
        partial[8] = sum;
    }
}
__global__ void check(const int *a, int *partial, unsigned *done) {
    if (partial[8] != 511 * 256)
        __trap();
}
