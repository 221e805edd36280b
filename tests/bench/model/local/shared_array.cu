// The same counts in shared memory, a column a thread.
__global__ void sort(const int *in, int *out, int n)
{
    __shared__ int counts[16][256];
    int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
    if (i >= n)
        return;
    for (int j = 0; j < 16; j++)
        counts[j][t] = 0;
    unsigned value = in[i];
    for (int j = 0; j < 8; j++)
        counts[value >> 4 * j & 15][t]++;
    int most = 0;
    for (int j = 1; j < 16; j++)
        if (counts[j][t] > counts[most][t])
            most = j;
    out[i] = most;
}
