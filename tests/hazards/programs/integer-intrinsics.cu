// sim --grid 1 --block 64 --arg u32*64=uniform:const --arg u32*64=uninit
__global__ void k(const unsigned *a, unsigned *b) {
    unsigned x = a[threadIdx.x], y = a[63 - threadIdx.x];
    unsigned r = __popc(x) + __clz(y) * 3 + __ffs(x) * 5 + (__brev(x) ^ y);
    r += __byte_perm(x, y, 0x5140) + __funnelshift_l(x, y, 7) + __umulhi(x, y) + __mulhi((int)x, (int)y);
    r ^= __sad((int)x, (int)y, 9u) + __usad(x, y, 1u) + __dp4a((int)x, (int)y, 4) + x / (y | 1) + x % (y | 1);
    unsigned long long w = (unsigned long long)x * y;
    r += (unsigned)(w / (x | 1)) + (unsigned)(w % 1000003) + __popcll(w) + __clzll(w);
    b[threadIdx.x] = r;
}
__global__ void check(const unsigned *a, unsigned *b) {
    for (int i = 0; i < 64; i++) {
        unsigned x = a[i], y = a[63 - i], bits = 0, zeros = 0, first = 0, reversed = 0;
        for (int j = 0; j < 32; j++) {
            bits += x >> j & 1;
            reversed |= (x >> j & 1) << (31 - j);
        }
        while (zeros < 32 && !(y >> (31 - zeros) & 1))
            zeros++;
        while (first < 32 && !(x >> first & 1))
            first++;
        unsigned r = bits + zeros * 3 + (x ? first + 1 : 0) * 5 + (reversed ^ y);
        r += (x & 255) | (y & 255) << 8 | (x >> 8 & 255) << 16 | (y >> 8 & 255) << 24;
        r += y << 7 | x >> 25;
        r += (unsigned)((unsigned long long)x * y >> 32);
        r += (unsigned)((long long)(int)x * (int)y >> 32);
        long long d = (long long)(int)x - (int)y;
        unsigned dot = 4;
        for (int j = 0; j < 4; j++)
            dot += (int)(signed char)(x >> 8 * j) * (int)(signed char)(y >> 8 * j);
        r ^= (9u + (unsigned)(d < 0 ? -d : d)) + (1u + (x > y ? x - y : y - x)) + dot + x / (y | 1) + x % (y | 1);
        unsigned long long w = (unsigned long long)x * y;
        unsigned wide = 0, top = 0;
        for (int j = 0; j < 64; j++)
            wide += w >> j & 1;
        while (top < 64 && !(w >> (63 - top) & 1))
            top++;
        r += (unsigned)(w / (x | 1)) + (unsigned)(w % 1000003) + wide + top;
        if (r != b[i])
            __trap();
    }
}
