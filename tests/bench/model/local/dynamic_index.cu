// A private array with indices that only run time knows: it lives in local memory.
__global__ void sort(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int counts[16];
    for (int j = 0; j < 16; j++)
        counts[j] = 0;
    unsigned value = in[i];
    for (int j = 0; j < 8; j++)
        counts[value >> 4 * j & 15]++;
    int most = 0;
    for (int j = 1; j < 16; j++)
        if (counts[j] > counts[most])
            most = j;
    out[i] = most;
}
