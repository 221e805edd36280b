// As plain, but four lanes have a block of text, each a column of its square of words: for the diagonals they
// turn the rows by shuffles.
__device__ unsigned turn(unsigned word, int bits)
{
    return word << bits | word >> (32 - bits);
}

__device__ void quarter(unsigned x[4])
{
    x[0] += x[1];
    x[3] = turn(x[3] ^ x[0], 16);
    x[2] += x[3];
    x[1] = turn(x[1] ^ x[2], 12);
    x[0] += x[1];
    x[3] = turn(x[3] ^ x[0], 8);
    x[2] += x[3];
    x[1] = turn(x[1] ^ x[2], 7);
}

__global__ void encipher(const unsigned *in, const unsigned *key, unsigned *out, int blocks)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x, block = thread / 4, column = thread % 4;
    if (block >= blocks)
        return;
    unsigned constants[4] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}, start[4], x[4];
    start[0] = constants[column];
    start[1] = key[column];
    start[2] = key[4 + column];
    start[3] = column < 2 ? (column == 0 ? block : 0) : key[6 + column];
    for (int row = 0; row < 4; row++)
        x[row] = start[row];
    for (int round = 0; round < 10; round++) {
        quarter(x);
        for (int row = 1; row < 4; row++)
            x[row] = __shfl_sync(0xffffffffu, x[row], column + row, 4);
        quarter(x);
        for (int row = 1; row < 4; row++)
            x[row] = __shfl_sync(0xffffffffu, x[row], column + 4 - row, 4);
    }
    for (int row = 0; row < 4; row++) {
        size_t at = (size_t)block * 16 + row * 4 + column;
        out[at] = in[at] ^ (x[row] + start[row]);
    }
}
