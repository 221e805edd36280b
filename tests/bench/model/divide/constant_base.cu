// The base known to the compiler: a multiplication and shifts in place of the division.
__global__ void digits(const unsigned *in, unsigned *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned value = in[i], sum = 0;
    for (int j = 0; j < 16; j++) {
        sum += value % 10u;
        value = value / 10u ^ 0x10000000u;
    }
    out[i] = sum;
}
