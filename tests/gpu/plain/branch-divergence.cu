// warpgrade: branch-divergence
// The first four warps of a block take its even elements, the others its odd ones.
__device__ unsigned even_way(unsigned x, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
    }
    return x;
}

__device__ unsigned odd_way(unsigned x, int rounds)
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
    bool odd = threadIdx.x >= 128;
    int i = blockIdx.x * 256 + 2 * (threadIdx.x % 128) + odd;
    if (i >= n)
        return;
    out[i] = odd ? odd_way(in[i], rounds) : even_way(in[i], rounds);
}
