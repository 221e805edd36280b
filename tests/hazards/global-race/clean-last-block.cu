// sim --grid 6 --block 64 --arg i32*384=iota:const --arg i32*6=uninit --arg i32*1=uninit --arg u32*1=zero
__global__ void k(const int *a, int *partial, int *out, unsigned *count) {
    __shared__ int s[64];
    __shared__ bool last;
    int t = threadIdx.x;
    s[t] = a[blockIdx.x * 64 + t];
    for (int d = 32; d > 0; d /= 2) {
        __syncthreads();
        if (t < d)
            s[t] += s[t + d];
    }
    if (t == 0) {
        partial[blockIdx.x] = s[0];
        __threadfence();
        last = atomicAdd(count, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        __threadfence();
        int sum = 0;
        for (int i = 0; i < gridDim.x; i++)
            sum += partial[i];
        *out = sum;
        *count = 0;
    }
}
__global__ void check(const int *a, int *partial, int *out, unsigned *count) {
    if (*out != 383 * 192)
        __trap();
}
