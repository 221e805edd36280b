// The step of a thread goes over its own block only.
#define BLOCKS 4

__global__ void saxpy(int n, float alpha, const float *x, float *y)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = first; i < n; i += blockDim.x)
        y[i] = alpha * x[i] + y[i];
}
