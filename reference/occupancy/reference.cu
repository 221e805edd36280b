// A thread an element, which looks at each element of its window.
__global__ void reference(const float *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double greatest = x[i];
    for (int j = max(i - 16, 0); j <= min(i + 16, n - 1); j++)
        greatest = fmax(greatest, (double)x[j]);
    y[i] = greatest;
}
