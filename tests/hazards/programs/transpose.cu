// sim --grid 2,2 --block 32,8 --arg f32*3000=iota:const --arg f32*3000=uninit --arg i32=60 --arg i32=50
__global__ void k(const float *in, float *out, int w, int h) {
    __shared__ float s[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < w && y + j < h)
            s[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < h && y + j < w)
            out[(y + j) * h + x] = s[threadIdx.x][threadIdx.y + j];
}
__global__ void check(const float *in, float *out, int w, int h) {
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            if (out[x * h + y] != in[y * w + x])
                __trap();
}
