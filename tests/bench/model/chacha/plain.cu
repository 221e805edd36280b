// Enciphers blocks of 64 bytes with ChaCha20: a thread a block, whose sixteen words are in registers.
#define TURN(word, bits) ((word) << (bits) | (word) >> (32 - (bits)))
#define QUARTER(a, b, c, d)                                                                                  \
    x[a] += x[b], x[d] = TURN(x[d] ^ x[a], 16), x[c] += x[d], x[b] = TURN(x[b] ^ x[c], 12), x[a] += x[b],    \
        x[d] = TURN(x[d] ^ x[a], 8), x[c] += x[d], x[b] = TURN(x[b] ^ x[c], 7)

__global__ void encipher(const unsigned *in, const unsigned *key, unsigned *out, int blocks)
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
    for (int i = 0; i < 16; i++)
        out[(size_t)block * 16 + i] = in[(size_t)block * 16 + i] ^ (x[i] + start[i]);
}
