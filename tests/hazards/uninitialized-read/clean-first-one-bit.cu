// sim --grid 1 --block 32 --arg i32*32=iota:const --arg i32*32=uninit --arg i32=20
// the first one bit is known where known bits stand before the unset ones
__global__ void k(const int *in, int *out, int n) {
    __shared__ int s[32];
    __shared__ __align__(8) char text[32];
    int t = threadIdx.x;
    if (t < n)
        s[t] = in[t];
    if (t < 14) // 14 and 15 are past the string's end
        text[t] = t < 13 ? 'a' : 0;
    __syncwarp();
    unsigned found = __ballot_sync(~0u, s[t] == 3);
    unsigned last = __brev(found);
    out[t] = t == 1 ? __clz(last) : t == 2 ? __ffs(found) : t == 3 ? __ffsll(found) : 0;
    if (t == 0) { // a string's end, four bytes at a time
        int length = 0;
        for (const unsigned *p = (const unsigned *)text;; p++, length += 4) {
            unsigned zeros = (*p - 0x01010101u) & ~*p & 0x80808080u;
            if (zeros) {
                length += (__ffs(zeros) - 1) / 8;
                break;
            }
        }
        out[0] = length;
    }
}
