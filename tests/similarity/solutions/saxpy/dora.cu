// warpgrade: saxpy
__global__ void saxpy(int n, float alpha, const float *x, float *y)
{
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
        y[i] = alpha * x[i] + y[i];
}
