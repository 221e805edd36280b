// Neighbouring threads, elements far apart: each access of a warp touches 32 sectors.
__global__ void vector_multiply(float *a, const float *b, const float *c, int n)
{
    int i = threadIdx.x * gridDim.x + blockIdx.x;
    if (i < n)
        a[i] = b[i] * c[i];
}
