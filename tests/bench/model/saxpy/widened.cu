// Single precision in memory, double precision arithmetic out of carelessness: constants without f.
__global__ void saxpy(int n, float alpha, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = (alpha * 1.000001) * x[i] + y[i] * 0.999999;
}
