// The reduction of the exercise dot: right, with nine barriers in place of one.
#define BLOCK_SIZE 256
#define ITEMS 4

__global__ void reduce(const float *x, float *out, int n)
{
    __shared__ float sums[BLOCK_SIZE];
    int tid = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < ITEMS; k++) {
        int i = (blockIdx.x * ITEMS + k) * BLOCK_SIZE + tid;
        if (i < n)
            sum += x[i];
    }
    sums[tid] = sum;
    for (int half = BLOCK_SIZE / 2; half > 0; half /= 2) {
        __syncthreads();
        if (tid < half)
            sums[tid] += sums[tid + half];
    }
    if (tid == 0)
        atomicAdd(out, sums[0]);
}
