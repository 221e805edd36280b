// 2.5 becomes 2 without a word from the compiler.
__global__ void saxpy(int n, float alpha, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int factor = (int)alpha;
    if (i < n)
        y[i] = factor * x[i] + y[i];
}
