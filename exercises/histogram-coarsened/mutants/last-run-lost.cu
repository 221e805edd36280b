// A run is added when another value begins; after the last one none does.
#define BLOCK_SIZE 256
#define WORDS 16

__global__ void histogram(const unsigned char *data, unsigned *bins, int n)
{
    __shared__ unsigned counts[256];
    for (int v = threadIdx.x; v < 256; v += BLOCK_SIZE)
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
                atomicAdd(&counts[value], run);
                value = byte;
                run = 0;
            }
            run++;
        }
    }
    int rest = n / 4 * 4 + threadIdx.x;
    if (blockIdx.x == 0 && rest < n)
        atomicAdd(&counts[data[rest]], 1u);
    __syncthreads();
    for (int v = threadIdx.x; v < 256; v += BLOCK_SIZE)
        if (counts[v] > 0)
            atomicAdd(&bins[v], counts[v]);
}
