// As plain, but which words a quarter of a round takes stands in a table, and the loop over them is a loop.
__constant__ unsigned char words[8][4] = {{0, 4, 8, 12}, {1, 5, 9, 13}, {2, 6, 10, 14}, {3, 7, 11, 15},
                                          {0, 5, 10, 15}, {1, 6, 11, 12}, {2, 7, 8, 13}, {3, 4, 9, 14}};

__device__ unsigned turn(unsigned word, int bits)
{
    return word << bits | word >> (32 - bits);
}

__global__ void encipher(const unsigned *in, const unsigned *key, unsigned *out, int blocks)
{
    int block = blockIdx.x * blockDim.x + threadIdx.x;
    if (block >= blocks)
        return;
    unsigned start[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, key[0], key[1], key[2], key[3],
                          key[4], key[5], key[6], key[7], (unsigned)block, 0, key[8], key[9]};
    unsigned x[16];
    for (int i = 0; i < 16; i++)
        x[i] = start[i];
#pragma unroll 1
    for (int round = 0; round < 80; round++) {
        int a = words[round % 8][0], b = words[round % 8][1], c = words[round % 8][2], d = words[round % 8][3];
        x[a] += x[b];
        x[d] = turn(x[d] ^ x[a], 16);
        x[c] += x[d];
        x[b] = turn(x[b] ^ x[c], 12);
        x[a] += x[b];
        x[d] = turn(x[d] ^ x[a], 8);
        x[c] += x[d];
        x[b] = turn(x[b] ^ x[c], 7);
    }
    for (int i = 0; i < 16; i++)
        out[(size_t)block * 16 + i] = in[(size_t)block * 16 + i] ^ (x[i] + start[i]);
}
