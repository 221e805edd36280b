// Four pixels a thread. Where rows are a multiple of four pixels, a thread reads four bytes of its
// row and of the one below at once, gets the pixel beside them from the next lane, and writes 16
// bytes. The lanes of a warp stay together for the shuffle: whole warps leave, never single lanes.
__device__ static int difference(unsigned a, unsigned b, int byte)
{
    return abs((int)(a >> 8 * byte & 255) - (int)(b >> 8 * byte & 255));
}

__global__ void find_edges(const unsigned char *__restrict__ image, int *__restrict__ edges,
                           int width, int height)
{
    int x = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (y >= height)
        return;
    const unsigned char *row = image + (size_t)y * width, *next = row + width;
    int *out = edges + (size_t)y * width;
    bool last = y + 1 == height;
    if (width % 4 != 0) {
        for (int i = x; i < min(x + 4, width); i++) {
            int here = row[i];
            out[i] = (i + 1 < width ? abs(row[i + 1] - here) : 0) + (last ? 0 : abs(next[i] - here));
        }
        return;
    }
    unsigned here = x < width ? *reinterpret_cast<const unsigned *>(row + x) : 0;
    unsigned below = x < width && !last ? *reinterpret_cast<const unsigned *>(next + x) : here;
    unsigned beside = __shfl_down_sync(0xffffffff, here, 1);
    if (x >= width)
        return;
    if (x + 4 >= width)
        beside = here >> 24;
    else if (threadIdx.x % 32 == 31)
        beside = row[x + 4];
    unsigned right = here >> 8 | beside << 24;
    *reinterpret_cast<int4 *>(out + x) =
        make_int4(difference(right, here, 0) + difference(below, here, 0),
                  difference(right, here, 1) + difference(below, here, 1),
                  difference(right, here, 2) + difference(below, here, 2),
                  difference(right, here, 3) + difference(below, here, 3));
}
