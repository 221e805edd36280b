// sim --grid 1 --block 64 --arg i8*64=iota:const --arg u8*64=iota:const --arg i16*64=iota:const --arg i32*64=uninit
__global__ void k(const signed char *a, const unsigned char *b, const short *c, int *d) {
    int i = threadIdx.x;
    signed char x = (signed char)(a[i] * 5);
    unsigned char y = (unsigned char)(b[i] - 70);
    short z = (short)(c[i] * 1000);
    d[i] = x * 3 - y + z / 7 + (x > y) * 1000 + (unsigned short)z % 13;
}
__global__ void check(const signed char *a, const unsigned char *b, const short *c, int *d) {
    for (int i = 0; i < 64; i++) {
        int x = (i * 5 + 128) % 256 - 128, y = (i - 70 + 256) % 256, z = (i * 1000 + 32768) % 65536 - 32768;
        if (d[i] != x * 3 - y + z / 7 + (x > y ? 1000 : 0) + (z + 65536) % 65536 % 13)
            __trap();
    }
}
