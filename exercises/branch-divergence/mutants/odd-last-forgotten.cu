// Where n is odd, the last thread has half a pair.
__device__ static unsigned even_way(unsigned x, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
    }
    return x;
}

__device__ static unsigned odd_way(unsigned x, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        x ^= x >> 15;
        x *= 0x2c1b3c6du;
        x ^= x >> 12;
    }
    return x;
}

__global__ void two_ways(const unsigned *in, unsigned *out, int n, int rounds)
{
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 1 < n) {
        out[i] = even_way(in[i], rounds);
        out[i + 1] = odd_way(in[i + 1], rounds);
    }
}
