// sim --grid 1 --block 256 --arg i32*256=iota --arg i32*256=uninit
__global__ void k(const int *in, int *out) {
    __shared__ int totals[8];
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, x = in[threadIdx.x];
    for (int d = 1; d < 32; d *= 2) {
        int y = __shfl_up_sync(0xffffffff, x, d);
        if (lane >= d)
            x += y;
    }
    if (lane == 31)
        totals[warp] = x;
    __syncthreads();
    if (warp == 0 && lane < 8) {
        int t = totals[lane];
        for (int d = 1; d < 8; d *= 2) {
            int y = __shfl_up_sync(0xff, t, d);
            if (lane >= d)
                t += y;
        }
        totals[lane] = t;
    }
    __syncthreads();
    out[threadIdx.x] = x + (warp ? totals[warp - 1] : 0);
}
__global__ void check(const int *in, int *out) {
    for (int i = 0; i < 256; i++)
        if (out[i] != i * (i + 1) / 2)
            __trap();
}
