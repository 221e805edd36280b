// As one must where there is no atomic addition; here each byte takes two tries or more.
__global__ void histogram(const unsigned char *data, unsigned *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
    {
        unsigned *bin = &bins[data[i]];
        unsigned seen = 0, before;
        do {
            before = seen;
            seen = atomicCAS(bin, before, before + 1);
        } while (seen != before);
    }
}
