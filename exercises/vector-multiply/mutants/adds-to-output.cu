// a was never set to zero: += reads what is not there.
__global__ void vector_multiply(float *a, const float *b, const float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] += b[i] * c[i];
}
