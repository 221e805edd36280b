// sim --grid 1 --block 256 --arg i32*256=iota:const --arg i32*1=uninit
__global__ void k(const int *a, int *b) {
    __shared__ int s[8];
    int x = a[threadIdx.x];
    for (int d = 16; d > 0; d /= 2)
        x += __shfl_down_sync(~0u, x, d);
    if (threadIdx.x % 32 == 0)
        s[threadIdx.x / 32] = x;
    __syncthreads();
    if (threadIdx.x < 8) {
        x = s[threadIdx.x];
        for (int d = 4; d > 0; d /= 2)
            x += __shfl_down_sync(0xff, x, d);
        if (threadIdx.x == 0)
            *b = x;
    }
}
