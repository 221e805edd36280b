// sim --grid 4 --block 256 --arg i32*1024=iota --arg i32*4=zero
__global__ void k(const int *a, int *b) {
    __shared__ int s[256];
    int tid = threadIdx.x;
    s[tid] = a[blockIdx.x * 256 + tid];
    __syncthreads();
    for (int i = 128; i > 0; i >>= 1) {
        if (tid < i)
            s[tid] += s[tid + i];
        __syncthreads();
    }
    if (tid == 0)
        b[blockIdx.x] = s[0];
}
__global__ void check(const int *a, int *b) {
    for (int j = 0; j < 4; j++) {
        int sum = 0;
        for (int i = 0; i < 256; i++)
            sum += a[j * 256 + i];
        if (sum != b[j])
            __trap();
    }
}
