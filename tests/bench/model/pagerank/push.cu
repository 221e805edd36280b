// As pull, but the links lead from a page to eight others, to each of which it adds an eighth of its rank. What
// all pages get besides is added elsewhere.
__global__ void step(const unsigned *links, const float *ranks, float *next, int n)
{
    int page = blockIdx.x * blockDim.x + threadIdx.x;
    if (page >= n)
        return;
    float share = 0.85f * ranks[page] / 8;
    for (int i = 0; i < 8; i++)
        atomicAdd(&next[links[page * 8 + i] & (n - 1)], share);
}
