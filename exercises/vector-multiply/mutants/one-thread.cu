// One thread does the work of all.
__global__ void vector_multiply(float *a, const float *b, const float *c, int n)
{
    if (blockIdx.x == 0 && threadIdx.x == 0)
        for (int i = 0; i < n; i++)
            a[i] = b[i] * c[i];
}
