__global__ void reference(const float *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = 1 / (1 + exp(-(double)x[i]));
}
