// As bits, but a byte at a time with a table in shared memory, of which each of 256 threads makes an entry.
__global__ void check(const unsigned char *records, unsigned *sums, int n)
{
    __shared__ unsigned table[256];
    unsigned entry = threadIdx.x;
    for (int bit = 0; bit < 8; bit++)
        entry = entry & 1 ? entry >> 1 ^ 0xedb88320u : entry >> 1;
    table[threadIdx.x] = entry;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned crc = 0xffffffffu;
    for (int byte = 0; byte < 64; byte++)
        crc = crc >> 8 ^ table[(crc ^ records[(size_t)i * 64 + byte]) & 255];
    sums[i] = ~crc;
}
