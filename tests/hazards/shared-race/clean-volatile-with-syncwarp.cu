// sim --grid 1 --block 64 --arg i32*64=iota --arg i32*1=zero
__global__ void k(const int *a, int *sum) {
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    s[t] = a[t];
    __syncthreads();
    if (t < 32) {
        int x = s[t] + s[t + 32];
        for (int d = 16; d > 0; d /= 2) {
            s[t] = x;
            __syncwarp();
            x += s[t + d];
            __syncwarp();
        }
        if (t == 0)
            *sum = x;
    }
}
