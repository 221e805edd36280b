// As many warps as single_warps, but eight elements in flight a thread.
__global__ void vector_multiply(float *a, const float *b, const float *c, int n)
{
    int stride = gridDim.x * blockDim.x;
    for (int first = blockIdx.x * blockDim.x + threadIdx.x; first < n; first += 8 * stride) {
        float x[8], y[8];
#pragma unroll
        for (int j = 0; j < 8; j++) {
            int i = first + j * stride;
            x[j] = i < n ? b[i] : 0.0f;
            y[j] = i < n ? c[i] : 0.0f;
        }
#pragma unroll
        for (int j = 0; j < 8; j++)
            if (first + j * stride < n)
                a[first + j * stride] = x[j] * y[j];
    }
}
