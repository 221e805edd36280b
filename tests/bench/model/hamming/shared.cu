// As plain, but a thread keeps its descriptor, and its block copies 128 of the known ones at a time to shared
// memory. `known` is a multiple of 128, and so are the threads of a block.
__global__ void match(const unsigned *queries, const uint4 *descriptors, int *best, int n, int known)
{
    __shared__ uint4 tile[256];
    int query = blockIdx.x * 256 + threadIdx.x, least = 257, found = 0;
    unsigned own[8];
#pragma unroll
    for (int word = 0; word < 8; word++)
        own[word] = query < n ? queries[query * 8 + word] : 0;
    for (int begin = 0; begin < known; begin += 128) {
        tile[threadIdx.x] = descriptors[begin * 2 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 128; i++) {
            uint4 a = tile[2 * i], b = tile[2 * i + 1];
            int bits = __popc(own[0] ^ a.x) + __popc(own[1] ^ a.y) + __popc(own[2] ^ a.z) +
                       __popc(own[3] ^ a.w) + __popc(own[4] ^ b.x) + __popc(own[5] ^ b.y) +
                       __popc(own[6] ^ b.z) + __popc(own[7] ^ b.w);
            if (bits < least) {
                least = bits;
                found = begin + i;
            }
        }
        __syncthreads();
    }
    if (query < n)
        best[query] = found;
}
