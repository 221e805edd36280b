// Each lane follows a chain of 8 random places: each load waits for the one before. n is a power of two.
__global__ void load(const unsigned *in, unsigned *out, int n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned at = (i * 2654435761u + 12345u) & (n - 1);
    for (int j = 0; j < 8; j++)
        at = in[at] & (n - 1);
    out[i] = at;
}
