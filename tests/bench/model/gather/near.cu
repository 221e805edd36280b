// As plain, but the indices of a warp lie within 64 values of each other: what sorting them would give.
__global__ void gather(const unsigned *index, const float *table, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = table[((unsigned)i / 32 * 37 + (index[i] & 63)) & 1048575];
}
