// Right for one block; with more, all of them do the work of the first.
__global__ void vector_multiply(float *a, const float *b, const float *c, int n)
{
    int i = threadIdx.x;
    if (i < n)
        a[i] = b[i] * c[i];
}
