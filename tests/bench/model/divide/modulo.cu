// Digits of a number in a base that only the launch knows: a division and a remainder each.
__global__ void digits(const unsigned *in, unsigned *out, int n, unsigned base)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned value = in[i], sum = 0;
    for (int j = 0; j < 16; j++) {
        sum += value % base;
        value = value / base ^ 0x10000000u;
    }
    out[i] = sum;
}
