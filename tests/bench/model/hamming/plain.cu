// For each of n descriptors of 256 bits the one of `known` that differs in the fewest bits, as trackers of
// points in pictures look for it. A thread a descriptor.
__global__ void match(const unsigned *queries, const unsigned *descriptors, int *best, int n, int known)
{
    int query = blockIdx.x * blockDim.x + threadIdx.x;
    if (query >= n)
        return;
    int least = 257, found = 0;
    for (int i = 0; i < known; i++) {
        int bits = 0;
        for (int word = 0; word < 8; word++)
            bits += __popc(queries[query * 8 + word] ^ descriptors[i * 8 + word]);
        if (bits < least) {
            least = bits;
            found = i;
        }
    }
    best[query] = found;
}
