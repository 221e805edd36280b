// warpgrade: saxpy
__global__ void saxpy(int n, float alpha, const float *x, float *y)
{
    const int index = threadIdx.x + blockIdx.x * blockDim.x;
    if (index >= n) return;
    y[index] += alpha * x[index];
}
