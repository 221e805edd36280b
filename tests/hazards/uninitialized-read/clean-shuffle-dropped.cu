// sim --grid 1 --block 32 --arg i32*20=iota --arg i32*1=uninit
// both builds
// the compiler adds first and selects afterwards
__global__ void k(const int *in, int *out) {
    __shared__ int s[32];
    int t = threadIdx.x;
    if (t < 20)
        s[t] = in[t];
    __syncwarp();
    int v = s[t];
    for (int d = 16; d; d >>= 1) {
        int other = __shfl_down_sync(~0u, v, d);
        if (t + d < 20)
            v += other;
    }
    if (t == 0)
        *out = v;
}
__global__ void check(const int *in, const int *out) {
    if (*out != 190)
        __trap();
}
