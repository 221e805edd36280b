// The classic: 256 threads are launched on 128 elements, and all of them write.
__global__ void vector_multiply(float *a, const float *b, const float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = b[i] * c[i];
}
