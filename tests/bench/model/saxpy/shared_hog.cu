// Staged through far more shared memory than it needs, so that few blocks fit on a multiprocessor.
__global__ void saxpy(int n, float alpha, const float *x, float *y)
{
    __shared__ float stage[12 * 1024];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        stage[threadIdx.x] = x[i];
        y[i] = alpha * stage[threadIdx.x] + y[i];
    }
}
