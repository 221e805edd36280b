// The right number in the wrong vector.
__global__ void saxpy(int n, float alpha, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float *result = const_cast<float *>(x);
    if (i < n)
        result[i] = alpha * x[i] + y[i];
}
