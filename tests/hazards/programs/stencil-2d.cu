// sim --grid 3,3 --block 16,16 --arg f32*1600=uniform:const --arg f32*1600=uninit --arg i32=40
__global__ void k(const float *in, float *out, int n) {
    __shared__ float s[18][18];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    auto get = [=](int i, int j) { return i >= 0 && i < n && j >= 0 && j < n ? in[i * n + j] : 0.0f; };
    s[ty][tx] = get(y, x);
    if (tx == 1)
        s[ty][0] = get(y, x - 1);
    if (tx == 16)
        s[ty][17] = get(y, x + 1);
    if (ty == 1)
        s[0][tx] = get(y - 1, x);
    if (ty == 16)
        s[17][tx] = get(y + 1, x);
    __syncthreads();
    if (x < n && y < n)
        out[y * n + x] = 0.5f * s[ty][tx] + 0.125f * (s[ty - 1][tx] + s[ty + 1][tx] + s[ty][tx - 1] + s[ty][tx + 1]);
}
__global__ void check(const float *in, float *out, int n) {
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            double e = 0.5 * in[y * n + x];
            if (y > 0) e += 0.125 * in[(y - 1) * n + x];
            if (y + 1 < n) e += 0.125 * in[(y + 1) * n + x];
            if (x > 0) e += 0.125 * in[y * n + x - 1];
            if (x + 1 < n) e += 0.125 * in[y * n + x + 1];
            if (!(fabs(e - out[y * n + x]) < 1e-6))
                __trap();
        }
}
