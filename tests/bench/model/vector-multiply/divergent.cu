// Odd and even lanes take two branches that do the same work.
__global__ void vector_multiply(float *a, const float *b, const float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (threadIdx.x % 2) {
        float x = b[i], y = c[i];
        a[i] = x * y;
        __threadfence_block();
    } else {
        float x = c[i], y = b[i];
        a[i] = y * x;
    }
}
