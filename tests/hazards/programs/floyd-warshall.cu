// sim --grid 1 --block 16,16 --arg i32*256=uniform:const --arg i32*256=uninit
__global__ void k(const int *in, int *out) {
    __shared__ int d[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    d[y][x] = in[y * 16 + x] & 1023;
#pragma unroll 1
    for (int i = 0; i < 16; i++) {
        __syncthreads();
        int through = d[y][i] + d[i][x];
        __syncthreads();
        d[y][x] = min(d[y][x], through);
    }
    out[y * 16 + x] = d[y][x];
}
__global__ void check(const int *in, int *out) {
    int d[256];
    for (int i = 0; i < 256; i++)
        d[i] = in[i] & 1023;
#pragma unroll 1
    for (int k = 0; k < 16; k++)
        for (int i = 0; i < 16; i++)
            for (int j = 0; j < 16; j++)
                d[i * 16 + j] = min(d[i * 16 + j], d[i * 16 + k] + d[k * 16 + j]);
    for (int i = 0; i < 256; i++)
        if (d[i] != out[i])
            __trap();
}
