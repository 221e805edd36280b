// warpgrade: histogram-shared
#define BLOCK_SIZE 64
__global__ void histogram(const unsigned char *data, unsigned *bins, int n)
{
    __shared__ unsigned shorts[128]; // two counters of sixteen bits a word
    for (int i = threadIdx.x; i < 128; i += BLOCK_SIZE)
        shorts[i] = 0;
    __syncthreads();
    const unsigned char *end = data + n;
    const unsigned char *p = data + (blockIdx.x * BLOCK_SIZE + threadIdx.x) * 4;
    const unsigned char *stop = p + 4 < end ? p + 4 : end;
    for (; p < stop; p++)
        atomicAdd(&shorts[*p >> 1], *p & 1 ? 0x10000u : 1u);
    __syncthreads();
    for (int i = threadIdx.x; i < 128; i += BLOCK_SIZE) {
        unsigned both = shorts[i];
        if (both & 0xffff)
            atomicAdd(bins + 2 * i, both & 0xffff);
        if (both >> 16)
            atomicAdd(bins + 2 * i + 1, both >> 16);
    }
}
