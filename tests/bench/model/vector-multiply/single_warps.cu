// Grid stride with one block of one warp for each multiprocessor: nothing hides the latency.
__global__ void vector_multiply(float *a, const float *b, const float *c, int n)
{
    int stride = gridDim.x * blockDim.x;
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        a[i] = b[i] * c[i];
}
