// 64-bit divisions by a base that only the launch knows.
__global__ void digits(const unsigned *in, unsigned *out, int n, unsigned long long base)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned long long value = in[i] * 0x100000001ull, sum = 0;
    for (int j = 0; j < 16; j++) {
        sum += value % base;
        value = value / base ^ 0x1000000000000000ull;
    }
    out[i] = (unsigned)sum;
}
