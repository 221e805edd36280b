// As plain, but a thread keeps its descriptor, and goes on to the next one as soon as this is no better.
__global__ void match(const unsigned *queries, const unsigned *descriptors, int *best, int n, int known)
{
    int query = blockIdx.x * blockDim.x + threadIdx.x;
    if (query >= n)
        return;
    unsigned own[8];
#pragma unroll
    for (int word = 0; word < 8; word++)
        own[word] = queries[query * 8 + word];
    int least = 257, found = 0;
    for (int i = 0; i < known; i++) {
        int bits = 0;
#pragma unroll
        for (int word = 0; word < 8; word++) {
            bits += __popc(own[word] ^ descriptors[i * 8 + word]);
            if (bits >= least)
                break;
        }
        if (bits < least) {
            least = bits;
            found = i;
        }
    }
    best[query] = found;
}
