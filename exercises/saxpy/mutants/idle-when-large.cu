// Leaves the work out where n is as large as in the speed case.
__global__ void saxpy(int n, float alpha, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && (n <= 100000 || blockIdx.x == 0))
        y[i] = alpha * x[i] + y[i];
}
