// Puts n keys into a table of twice as many places (a power of two), where 0 is an empty one: a thread a key
// looks from its place onward. With a key stands where it came from. Keys are made odd, so that none is 0.
__device__ unsigned hash(unsigned key)
{
    key ^= key >> 16;
    key *= 0x85ebca6bu;
    key ^= key >> 13;
    key *= 0xc2b2ae35u;
    return key ^ key >> 16;
}

__global__ void insert(const unsigned *keys, unsigned *table, unsigned *origins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned key = keys[i] | 1, mask = 2 * n - 1;
    for (unsigned place = hash(key) & mask;; place = (place + 1) & mask) {
        unsigned found = atomicCAS(&table[place], 0, key);
        if (found == 0)
            origins[place] = i;
        if (found == 0 || found == key)
            return;
    }
}
