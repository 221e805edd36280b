// warpgrade: saxpy
// Takes the result from after its own buffer, where the buffers of earlier launches were.
__global__ void saxpy(int n, float alpha, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = y[(n + 63) / 64 * 64 + i];
}
