// Leaves the work of most warps out where n is as large as in the speed case.
__global__ void vector_multiply(float *a, const float *b, const float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && (n <= 100000 || threadIdx.x < 32))
        a[i] = b[i] * c[i];
}
