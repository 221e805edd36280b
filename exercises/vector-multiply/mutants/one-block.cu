// The first block does the work of all.
__global__ void vector_multiply(float *a, const float *b, const float *c, int n)
{
    if (blockIdx.x == 0)
        for (int i = threadIdx.x; i < n; i += blockDim.x)
            a[i] = b[i] * c[i];
}
