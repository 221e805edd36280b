// The three colours in planes of their own, a thread a pixel, a byte each.
__global__ void grey(const unsigned char *in, unsigned char *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = (unsigned char)((77 * in[i] + 150 * in[n + i] + 29 * in[2 * n + i]) >> 8);
}
