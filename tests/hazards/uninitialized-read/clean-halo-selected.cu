// sim --grid 4 --block 16,8 --arg f32*1000=iota --arg f32*1000=uninit --arg i32=40 --arg i32=25
__global__ void k(const float *in, float *out, int w, int h) {
    __shared__ float s[10][18];
    int x = blockIdx.x % 3 * 16 + threadIdx.x, y = blockIdx.x / 3 * 8 + threadIdx.y;
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    if (x < w && y < h) {
        s[ty][tx] = in[y * w + x];
        if (tx == 1 && x > 0)
            s[ty][0] = in[y * w + x - 1];
        if (tx == 16 && x + 1 < w)
            s[ty][17] = in[y * w + x + 1];
        if (ty == 1 && y > 0)
            s[0][tx] = in[(y - 1) * w + x];
        if (ty == 8 && y + 1 < h)
            s[9][tx] = in[(y + 1) * w + x];
    }
    __syncthreads();
    float l = s[ty][tx - 1], r = s[ty][tx + 1], u = s[ty - 1][tx], d = s[ty + 1][tx], c = s[ty][tx];
    float v = l + r + u + d - 4 * c;
    bool edge = x == 0 || y == 0 || x >= w - 1 || y >= h - 1;
    if (x < w && y < h)
        out[y * w + x] = edge ? 0 : v;
}
