// Double precision: twice the bytes.
__global__ void saxpy(int n, double alpha, const double *x, double *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = alpha * x[i] + y[i];
}
