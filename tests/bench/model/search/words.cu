// As plain, but a thread takes sixteen places: it packs their letters and the seven that follow, and
// compares eight of them at once. Threads of a warp add up what they found. n is a multiple of sixteen.
__device__ unsigned packed(unsigned word)
{
    word &= 0x03030303u;
    return (word | word >> 6 | word >> 12 | word >> 18) & 255;
}

__global__ void find(const unsigned char *text, const unsigned char *word, unsigned *count, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, groups = n / 16;
    const unsigned *wanted = (const unsigned *)word;
    unsigned key = packed(wanted[0]) | packed(wanted[1]) << 8, found = 0;
    if (t < groups) {
        uint4 own = ((const uint4 *)text)[t];
        uint2 more = t + 1 < groups ? *(const uint2 *)&((const uint4 *)text)[t + 1] : make_uint2(0, 0);
        unsigned low = packed(own.x) | packed(own.y) << 8 | packed(own.z) << 16 | packed(own.w) << 24;
        unsigned high = packed(more.x) | packed(more.y) << 8;
        for (int place = 0; place < 16; place++) {
            unsigned letters = __funnelshift_r(low, high, 2 * place) & 0xffffu;
            if (letters == key && t * 16 + place + 8 <= n)
                found++;
        }
    }
    for (int step = 16; step > 0; step /= 2)
        found += __shfl_down_sync(0xffffffffu, found, step);
    if (threadIdx.x % 32 == 0 && found)
        atomicAdd(count, found);
}
