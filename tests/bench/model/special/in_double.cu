// The same in double precision.
__global__ void compute(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double x = in[i];
    for (int j = 0; j < 16; j++)
        x = sqrt(exp(sin(x)) + 1.0);
    out[i] = (float)x;
}
