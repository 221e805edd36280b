__global__ void logistic(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float e = __expf(-x[i]);
        y[i] = 1.0f / (1.0f + e);
    }
}
