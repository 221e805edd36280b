// Interleaved addressing without the modulo: working lanes are neighbours, their banks collide.
#define BLOCK_SIZE 256

__global__ void dot(const float *a, const float *b, float *out, int n)
{
    __shared__ float s[BLOCK_SIZE];
    int tid = threadIdx.x;
    int k = blockIdx.x * BLOCK_SIZE + tid;
    s[tid] = k < n ? a[k] * b[k] : 0.0f;
    __syncthreads();
    for (int i = 1; i < BLOCK_SIZE; i *= 2) {
        int at = 2 * i * tid;
        if (at < BLOCK_SIZE)
            s[at] += s[at + i];
        __syncthreads();
    }
    if (tid == 0)
        atomicAdd(out, s[0]);
}
