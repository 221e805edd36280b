// sim --grid 1 --block 32 --arg i32*20=iota --arg i32*1=uninit
// both builds
// says what comes of it is used in line 15
__global__ void k(const int *in, int *out) {
    __shared__ int s[32];
    int t = threadIdx.x;
    if (t < 20)
        s[t] = in[t];
    __syncwarp();
    int v = s[t]; // HAZARD uninitialized-read error

    for (int d = 16; d; d >>= 1)
        v += __shfl_down_sync(~0u, v, d);
    if (t == 0)
        *out = v;
}
