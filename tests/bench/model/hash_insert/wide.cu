// As linear, but a key and where it came from are put in together, as a word of 64 bits.
__device__ unsigned hash(unsigned key)
{
    key ^= key >> 16;
    key *= 0x85ebca6bu;
    key ^= key >> 13;
    key *= 0xc2b2ae35u;
    return key ^ key >> 16;
}

__global__ void insert(const unsigned *keys, unsigned long long *table, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned key = keys[i] | 1, mask = 2 * n - 1;
    unsigned long long both = (unsigned long long)i << 32 | key;
    for (unsigned place = hash(key) & mask;; place = (place + 1) & mask) {
        unsigned long long found = atomicCAS(&table[place], 0ull, both);
        if (found == 0 || (unsigned)found == key)
            return;
    }
}
