// Asks after the deed.
#define BLOCKS 160

__global__ void saxpy(int n, float alpha, const float *x, float *y)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = gridDim.x * blockDim.x;
    int i = first;
    do {
        y[i] = alpha * x[i] + y[i];
        i += stride;
    } while (i < n);
}
