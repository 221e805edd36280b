// As plain, but a warp has a descriptor and each lane every 32nd of the known ones, which it reads sixteen bytes
// at a time. The best is the least of words that hold the number of bits above the place.
__global__ void match(const uint4 *queries, const uint4 *descriptors, int *best, int n, int known)
{
    int query = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (query >= n)
        return;
    uint4 a = queries[query * 2], b = queries[query * 2 + 1];
    unsigned least = 0xffffffffu;
    for (int i = lane; i < known; i += 32) {
        uint4 c = descriptors[i * 2], d = descriptors[i * 2 + 1];
        unsigned bits = __popc(a.x ^ c.x) + __popc(a.y ^ c.y) + __popc(a.z ^ c.z) + __popc(a.w ^ c.w) +
                        __popc(b.x ^ d.x) + __popc(b.y ^ d.y) + __popc(b.z ^ d.z) + __popc(b.w ^ d.w);
        least = min(least, bits << 16 | i);
    }
    least = __reduce_min_sync(0xffffffffu, least);
    if (lane == 0)
        best[query] = least & 0xffff;
}
