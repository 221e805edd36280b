// Thread 0 to n - 1 is not element 0 to n - 1 any more.
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
    int half = blockDim.x / 2;
    bool odd = threadIdx.x >= half;
    int i = blockIdx.x * blockDim.x + 2 * (threadIdx.x % half) + odd;
    if (blockIdx.x * blockDim.x + threadIdx.x >= n)
        return;
    if (odd)
        out[i] = odd_way(in[i], rounds);
    else
        out[i] = even_way(in[i], rounds);
}
