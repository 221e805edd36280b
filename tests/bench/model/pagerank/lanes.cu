// As pull, but eight lanes have a page, each a link of it.
__global__ void step(const unsigned *links, const float *ranks, const unsigned *counts, float *next, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, page = i / 8;
    if (page >= n)
        return;
    unsigned from = links[i] & (n - 1);
    float sum = ranks[from] / ((counts[from] & 15) + 1);
    for (int step = 4; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, step, 8);
    if (i % 8 == 0)
        next[page] = 0.15f / n + 0.85f * sum;
}
