// Interleaved addressing with a modulo: in each step the working lanes are spread over all warps.
#define BLOCK_SIZE 256

__global__ void dot(const float *a, const float *b, float *out, int n)
{
    __shared__ float s[BLOCK_SIZE];
    int tid = threadIdx.x;
    int k = blockIdx.x * BLOCK_SIZE + tid;
    s[tid] = k < n ? a[k] * b[k] : 0.0f;
    __syncthreads();
    for (int i = 1; i < BLOCK_SIZE; i *= 2) {
        if (tid % (2 * i) == 0)
            s[tid] += s[tid + i];
        __syncthreads();
    }
    if (tid == 0)
        atomicAdd(out, s[0]);
}
