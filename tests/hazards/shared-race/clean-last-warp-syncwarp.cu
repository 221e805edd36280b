// sim --grid 1 --block 128 --arg i32*128=iota:const --arg i32*1=uninit
__global__ void k(const int *a, int *b) {
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = a[t];
    __syncthreads();
    if (t < 64)
        s[t] += s[t + 64];
    __syncthreads();
    if (t >= 32)
        return;
    int x = s[t] + s[t + 32];
    __syncwarp();
    s[t] = x;
    __syncwarp();
    for (int d = 16; d > 0; d /= 2) {
        if (t < d)
            x += s[t + d];
        __syncwarp();
        s[t] = x;
        __syncwarp();
    }
    if (t == 0)
        *b = x;
}
__global__ void check(const int *a, int *b) {
    if (*b != 127 * 64)
        __trap();
}
