// Off by one element from where sectors begin: each request touches one sector more.
__global__ void vector_multiply(float *a, const float *b, const float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
    if (i < n)
        a[i] = b[i] * c[i];
}
