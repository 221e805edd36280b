// gridDim counts blocks, not threads.
#define BLOCKS 160

__global__ void saxpy(int n, float alpha, const float *x, float *y)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = first; i < n; i += gridDim.x)
        y[i] = alpha * x[i] + y[i];
}
