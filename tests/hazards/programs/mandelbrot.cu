// sim --grid 4,4 --block 8,8 --arg u32*1024=uninit --arg i32=32
__global__ void k(unsigned *out, int n) {
    int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    float cr = -2 + 3.0f * x / n, ci = -1.5f + 3.0f * y / n, zr = 0, zi = 0;
    unsigned i = 0;
    for (; i < 200 && zr * zr + zi * zi < 4; i++) {
        float t = zr * zr - zi * zi + cr;
        zi = 2 * zr * zi + ci;
        zr = t;
    }
    out[y * n + x] = i;
}
__global__ void check(unsigned *out, int n) {
    if (out[0] != 1 || out[16 * 32 + 21] != 200 || out[16 * 32 + 16] != 200)
        __trap();
    for (int x = 0; x < n; x++) // symmetric about the real axis, but for the first row
        for (int y = 1; y < n / 2; y++)
            if (abs((int)out[y * n + x] - (int)out[(n - y) * n + x]) > 0)
                __trap();
}
