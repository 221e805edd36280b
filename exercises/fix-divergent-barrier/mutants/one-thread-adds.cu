// Right, and no barrier is left to get wrong: one thread adds while 255 wait.
#define BLOCK_SIZE 256

__global__ void block_sums(const float *x, float *sums, int n)
{
    __shared__ float s[BLOCK_SIZE];
    int tid = threadIdx.x;
    int i = blockIdx.x * BLOCK_SIZE + tid;
    s[tid] = i < n ? x[i] : 0.0f;
    __syncthreads();
    for (int k = 1; tid == 0 && k < BLOCK_SIZE; k++)
        s[0] += s[k];
    if (tid == 0)
        sums[blockIdx.x] = s[0];
}
