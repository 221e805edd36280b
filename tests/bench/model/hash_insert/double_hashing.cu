// As linear, but a second hash says how far apart the places are that a key tries.
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
    unsigned step = (key * 2654435769u >> 7) | 1;
    for (unsigned place = hash(key) & mask;; place = (place + step) & mask) {
        unsigned found = atomicCAS(&table[place], 0, key);
        if (found == 0)
            origins[place] = i;
        if (found == 0 || found == key)
            return;
    }
}
