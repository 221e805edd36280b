// As plain, but a thread picks four values, a quarter of the grid's threads apart: four loads at once.
__global__ void gather(const unsigned *index, const float *table, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, step = n / 4;
    if (i >= step)
        return;
    unsigned at[4];
#pragma unroll
    for (int j = 0; j < 4; j++)
        at[j] = index[i + j * step] & 1048575;
#pragma unroll
    for (int j = 0; j < 4; j++)
        out[i + j * step] = table[at[j]];
}
