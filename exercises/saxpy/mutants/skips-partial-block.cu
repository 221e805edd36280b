// A whole block leaves when its last thread has no element.
__global__ void saxpy(int n, float alpha, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if ((blockIdx.x + 1) * blockDim.x > n)
        return;
    y[i] = alpha * x[i] + y[i];
}
