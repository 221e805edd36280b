// sim --grid 2 --block 128 --arg i32*512=iota --arg i32*512=uninit
__global__ void k(const int *in, int *out) {
    __shared__ int s[256 + 8];
#define AT(i) ((i) + ((i) >> 5))
    int t = threadIdx.x, base = blockIdx.x * 256, offset = 1;
    s[AT(2 * t)] = in[base + 2 * t];
    s[AT(2 * t + 1)] = in[base + 2 * t + 1];
    for (int d = 128; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d)
            s[AT(offset * (2 * t + 2) - 1)] += s[AT(offset * (2 * t + 1) - 1)];
        offset *= 2;
    }
    if (t == 0)
        s[AT(255)] = 0;
    for (int d = 1; d < 256; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int x = AT(offset * (2 * t + 1) - 1), y = AT(offset * (2 * t + 2) - 1), v = s[x];
            s[x] = s[y];
            s[y] += v;
        }
    }
    __syncthreads();
    out[base + 2 * t] = s[AT(2 * t)];
    out[base + 2 * t + 1] = s[AT(2 * t + 1)];
}
__global__ void check(const int *in, int *out) {
    for (int b = 0; b < 2; b++)
        for (int i = 0, sum = 0; i < 256; sum += in[b * 256 + i++])
            if (out[b * 256 + i] != sum)
                __trap();
}
