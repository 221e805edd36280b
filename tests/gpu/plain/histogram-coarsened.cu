// warpgrade: histogram-coarsened
// Equal bytes are added up in a register; the lanes of a warp use eight copies of the counters.
#define BLOCK_SIZE 256
#define WORDS      64
#define COPIES     8

__global__ void histogram(const unsigned char *data, unsigned *bins, int n)
{
    __shared__ unsigned s[256 * COPIES];
    for (int i = threadIdx.x; i < 256 * COPIES; i += BLOCK_SIZE)
        s[i] = 0;
    __syncthreads();

    const unsigned *words = reinterpret_cast<const unsigned *>(data);
    int copy = threadIdx.x % COPIES;
    int first = blockIdx.x * BLOCK_SIZE * WORDS + threadIdx.x;
    unsigned last = 0;
    unsigned count = 0;
    for (int k = 0; k < WORDS; k++) {
        int i = first + k * BLOCK_SIZE;
        if (i >= n / 4)
            break;
        unsigned word = words[i];
        for (int j = 0; j < 4; j++) {
            unsigned value = word >> (8 * j) & 255;
            if (value != last) {
                if (count > 0)
                    atomicAdd(&s[last * COPIES + copy], count);
                last = value;
                count = 0;
            }
            count++;
        }
    }
    if (count > 0)
        atomicAdd(&s[last * COPIES + copy], count);
    if (blockIdx.x == 0 && threadIdx.x < n % 4)
        atomicAdd(&s[data[n / 4 * 4 + threadIdx.x] * COPIES], 1);
    __syncthreads();

    for (int value = threadIdx.x; value < 256; value += BLOCK_SIZE) {
        unsigned sum = 0;
        for (int c = 0; c < COPIES; c++)
            sum += s[value * COPIES + (c + value) % COPIES];
        if (sum > 0)
            atomicAdd(&bins[value], sum);
    }
}
