// As plain, but in double precision.
__global__ void evaluate(const float *in, const float *factors, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double x = in[i], total = factors[15];
    for (int k = 14; k >= 0; k--)
        total = total * x + factors[k];
    out[i] = total;
}
