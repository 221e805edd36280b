// As plain, but a thread reads and writes sixteen bytes at a time.
#define TURN(word, bits) ((word) << (bits) | (word) >> (32 - (bits)))
#define QUARTER(a, b, c, d)                                                                                  \
    x[a] += x[b], x[d] = TURN(x[d] ^ x[a], 16), x[c] += x[d], x[b] = TURN(x[b] ^ x[c], 12), x[a] += x[b],    \
        x[d] = TURN(x[d] ^ x[a], 8), x[c] += x[d], x[b] = TURN(x[b] ^ x[c], 7)

__global__ void encipher(const uint4 *in, const unsigned *key, uint4 *out, int blocks)
{
    int block = blockIdx.x * blockDim.x + threadIdx.x;
    if (block >= blocks)
        return;
    unsigned x[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, key[0], key[1], key[2], key[3],
                      key[4], key[5], key[6], key[7], (unsigned)block, 0, key[8], key[9]};
    unsigned start[16];
#pragma unroll
    for (int i = 0; i < 16; i++)
        start[i] = x[i];
    for (int round = 0; round < 10; round++) {
        QUARTER(0, 4, 8, 12);
        QUARTER(1, 5, 9, 13);
        QUARTER(2, 6, 10, 14);
        QUARTER(3, 7, 11, 15);
        QUARTER(0, 5, 10, 15);
        QUARTER(1, 6, 11, 12);
        QUARTER(2, 7, 8, 13);
        QUARTER(3, 4, 9, 14);
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        uint4 text = in[(size_t)block * 4 + i];
        text.x ^= x[4 * i] + start[4 * i];
        text.y ^= x[4 * i + 1] + start[4 * i + 1];
        text.z ^= x[4 * i + 2] + start[4 * i + 2];
        text.w ^= x[4 * i + 3] + start[4 * i + 3];
        out[(size_t)block * 4 + i] = text;
    }
}
