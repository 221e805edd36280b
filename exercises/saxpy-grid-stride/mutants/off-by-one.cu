// The last element is n - 1.
#define BLOCKS 160

__global__ void saxpy(int n, float alpha, const float *x, float *y)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = gridDim.x * blockDim.x;
    for (int i = first; i <= n; i += stride)
        y[i] = alpha * x[i] + y[i];
}
