// sim --grid 4,4 --block 8,8 --arg u8*1024=uniform:const --arg u8*1024=uninit
__global__ void k(const unsigned char *in, unsigned char *out) {
    int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, alive = 0;
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++)
            if (i || j)
                alive += in[(y + j & 31) * 32 + (x + i & 31)] & 1;
    out[y * 32 + x] = alive == 3 || (alive == 2 && (in[y * 32 + x] & 1));
}
__global__ void check(const unsigned char *in, unsigned char *out) {
    for (int y = 0; y < 32; y++)
        for (int x = 0; x < 32; x++) {
            int n = -(in[y * 32 + x] & 1);
            for (int j = y + 31; j <= y + 33; j++)
                for (int i = x + 31; i <= x + 33; i++)
                    n += in[j % 32 * 32 + i % 32] % 2;
            if (out[y * 32 + x] != (n == 3 || n + (in[y * 32 + x] & 1) == 3))
                __trap();
        }
}
