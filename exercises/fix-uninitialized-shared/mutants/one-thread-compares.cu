// Right: it reads only what has been written, and leaves the work to one thread.
#define BLOCK_SIZE 256

__global__ void block_maxima(const int *x, int *largest, int n)
{
    __shared__ int s[BLOCK_SIZE];
    int tid = threadIdx.x;
    int i = blockIdx.x * BLOCK_SIZE + tid;
    if (i < n)
        s[tid] = x[i];
    __syncthreads();
    for (int k = 1; tid == 0 && k < BLOCK_SIZE && i + k < n; k++)
        s[0] = max(s[0], s[k]);
    if (tid == 0)
        largest[blockIdx.x] = s[0];
}
