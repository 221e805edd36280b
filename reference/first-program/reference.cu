// a * x + y in double precision.
__global__ void reference(const float *x, const float *y, double *out, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = (double)a * x[i] + y[i];
}
