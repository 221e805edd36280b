// Two counters in a word save shared memory, as long as none reaches 65,536.
#define BLOCK_SIZE 256
#define WORDS 256

__global__ void histogram(const unsigned char *data, unsigned *bins, int n)
{
    __shared__ unsigned counts[128];
    for (int v = threadIdx.x; v < 128; v += BLOCK_SIZE)
        counts[v] = 0;
    __syncthreads();
    const unsigned *words = reinterpret_cast<const unsigned *>(data);
    int first = blockIdx.x * BLOCK_SIZE * WORDS + threadIdx.x;
    unsigned value = 0, run = 0;
    for (int j = 0; j < WORDS; j++) {
        int i = first + j * BLOCK_SIZE;
        if (i >= n / 4)
            break;
        unsigned word = words[i];
        for (int k = 0; k < 4; k++) {
            unsigned byte = word >> 8 * k & 255;
            if (byte != value) {
                atomicAdd(&counts[value / 2], run << value % 2 * 16);
                value = byte;
                run = 0;
            }
            run++;
        }
    }
    atomicAdd(&counts[value / 2], run << value % 2 * 16);
    int rest = n / 4 * 4 + threadIdx.x;
    if (blockIdx.x == 0 && rest < n)
        atomicAdd(&counts[data[rest] / 2], 1u << data[rest] % 2 * 16);
    __syncthreads();
    for (int v = threadIdx.x; v < 256; v += BLOCK_SIZE)
        atomicAdd(&bins[v], counts[v / 2] >> v % 2 * 16 & 0xffff);
}
