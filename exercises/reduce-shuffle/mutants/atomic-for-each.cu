// No reduction at all: the threads add their sums to the result, one after the other.
#define BLOCK_SIZE 256
#define ITEMS 4

__global__ void reduce(const float *x, float *out, int n)
{
    int tid = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < ITEMS; k++) {
        int i = (blockIdx.x * ITEMS + k) * BLOCK_SIZE + tid;
        if (i < n)
            sum += x[i];
    }
    atomicAdd(out, sum);
}
