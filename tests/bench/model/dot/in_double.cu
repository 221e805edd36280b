// The textbook's reduction with double sums of float products.
#define BLOCK_SIZE 256

__global__ void dot(const float *a, const float *b, double *out, int n)
{
    __shared__ double s[BLOCK_SIZE];
    int tid = threadIdx.x;
    int k = blockIdx.x * BLOCK_SIZE + tid;
    s[tid] = k < n ? (double)a[k] * b[k] : 0.0;
    __syncthreads();
    for (int i = BLOCK_SIZE / 2; i > 0; i /= 2) {
        if (tid < i)
            s[tid] += s[tid + i];
        __syncthreads();
    }
    if (tid == 0)
        atomicAdd(out, s[0]);
}
