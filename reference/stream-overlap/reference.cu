// Squares in double precision.
__global__ void reference(const float *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = (double)x[i] * x[i];
}
