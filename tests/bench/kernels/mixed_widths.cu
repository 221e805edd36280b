// Worst cases for shadow memory: words are written whole, and read byte by byte and by halves by
// other threads of the block.
__global__ void mixed_widths(unsigned int *data, unsigned int *sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int first = blockIdx.x * blockDim.x;
    if (i < n)
        data[i] = 0x01010101u * (threadIdx.x & 15);
    __syncthreads();
    if (i < n) {
        const unsigned char *bytes = (const unsigned char *)(data + first);
        const unsigned short *halves = (const unsigned short *)(data + first);
        unsigned sum = 0;
        for (int k = 0; k < 4; k++)
            sum += bytes[(threadIdx.x + 256 * k + 64 * k) % 1024];
        sums[i] = sum + halves[(2 * threadIdx.x + 101) % 512];
    }
}
