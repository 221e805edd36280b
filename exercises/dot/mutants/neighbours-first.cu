// The sums of neighbours are joined first: with each step the threads that still work read words
// that lie twice as far apart, in ever fewer banks.
#define BLOCK_SIZE 256

__global__ void dot(const float *a, const float *b, float *out, int n)
{
    __shared__ float s[BLOCK_SIZE];
    int tid = threadIdx.x;
    int k = blockIdx.x * BLOCK_SIZE + tid;
    s[tid] = k < n ? a[k] * b[k] : 0.0f;
    __syncthreads();
    for (int i = 1; i < BLOCK_SIZE; i *= 2) {
        int left = 2 * i * tid;
        if (left < BLOCK_SIZE)
            s[left] += s[left + i];
        __syncthreads();
    }
    if (tid == 0)
        atomicAdd(out, s[0]);
}
