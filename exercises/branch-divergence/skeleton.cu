// warpgrade: branch-divergence
//
// out[i] = even_way(in[i], rounds) where i is even, odd_way(in[i], rounds) where i is odd, for
// every i from 0 to n - 1.
// Launched as two_ways<<<(n + 255) / 256, 256>>>(in, out, n, rounds): one thread an element, in
// whole blocks of 256. Which thread of a block takes which element is up to you.
//
// Grade it with `warpgrade grade branch-divergence.cu`.

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
    // Step 1: which element does this thread take, so that its whole warp goes the same way?

    // Step 2: leave where there is no such element.

    // Step 3: go the way of this element, and store the result at its place.
}
