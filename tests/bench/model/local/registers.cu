// The same counts, packed into one 64-bit register.
__global__ void sort(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned long long counts = 0;
    unsigned value = in[i];
    for (int j = 0; j < 8; j++)
        counts += 1ull << 4 * (value >> 4 * j & 15);
    int most = 0;
    for (int j = 1; j < 16; j++)
        if ((counts >> 4 * j & 15) > (counts >> 4 * most & 15))
            most = j;
    out[i] = most;
}
