// The CRC-32 of each of n records of 64 bytes, a thread a record, bit by bit.
__global__ void check(const unsigned char *records, unsigned *sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned crc = 0xffffffffu;
    for (int byte = 0; byte < 64; byte++) {
        crc ^= records[(size_t)i * 64 + byte];
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
    }
    sums[i] = ~crc;
}
