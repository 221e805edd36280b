// The cast silences the compiler; the caller's b is overwritten all the same.
__global__ void vector_multiply(float *a, const float *b, const float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float *product = (float *)b;
    if (i < n) {
        product[i] *= c[i];
        a[i] = product[i];
    }
}
