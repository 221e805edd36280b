// warpgrade: fix-divergent-barrier
// The barrier is reached by all threads.
#define BLOCK_SIZE 256

__global__ void block_sums(const float *x, float *sums, int n)
{
    __shared__ float s[BLOCK_SIZE];
    int tid = threadIdx.x;
    int i = blockIdx.x * BLOCK_SIZE + tid;
    s[tid] = i < n ? x[i] : 0.0f;
    __syncthreads();
    for (int half = BLOCK_SIZE / 2; half > 0; half /= 2) {
        if (tid < half)
            s[tid] += s[tid + half];
        __syncthreads();
    }
    if (tid == 0)
        sums[blockIdx.x] = s[0];
}
