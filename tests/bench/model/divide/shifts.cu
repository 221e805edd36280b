// A base that is a power of two: masks and shifts.
__global__ void digits(const unsigned *in, unsigned *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned value = in[i], sum = 0;
    for (int j = 0; j < 16; j++) {
        sum += value % 8u;
        value = value / 8u ^ 0x10000000u;
    }
    out[i] = sum;
}
