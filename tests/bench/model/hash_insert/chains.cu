// As linear, but each place has a list of the keys that belong there: a key is put before the others, by
// one exchange. heads and next hold a key's number and 1; equal keys are all in the list.
__device__ unsigned hash(unsigned key)
{
    key ^= key >> 16;
    key *= 0x85ebca6bu;
    key ^= key >> 13;
    key *= 0xc2b2ae35u;
    return key ^ key >> 16;
}

__global__ void insert(const unsigned *keys, unsigned *heads, unsigned *next, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned key = keys[i] | 1;
    next[i] = atomicExch(&heads[hash(key) & (2 * n - 1)], i + 1);
}
