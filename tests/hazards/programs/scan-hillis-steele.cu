// sim --grid 1 --block 256 --arg i32*256=iota --arg i32*256=uninit
__global__ void k(const int *in, int *out) {
    __shared__ int s[2][256];
    int t = threadIdx.x, now = 0;
    s[0][t] = in[t];
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        s[1 - now][t] = s[now][t] + (t >= d ? s[now][t - d] : 0);
        now = 1 - now;
        __syncthreads();
    }
    out[t] = s[now][t];
}
__global__ void check(const int *in, int *out) {
    for (int i = 0; i < 256; i++)
        if (out[i] != i * (i + 1) / 2)
            __trap();
}
