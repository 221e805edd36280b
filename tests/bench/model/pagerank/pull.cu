// A step of PageRank: each of n pages (a power of two) is linked from eight, each of which gives it its rank by
// the number of its links. A thread a page. Links are any words, numbers of links their lowest four bits and one.
__global__ void step(const unsigned *links, const float *ranks, const unsigned *counts, float *next, int n)
{
    int page = blockIdx.x * blockDim.x + threadIdx.x;
    if (page >= n)
        return;
    float sum = 0.0f;
    for (int i = 0; i < 8; i++) {
        unsigned from = links[page * 8 + i] & (n - 1);
        sum += ranks[from] / ((counts[from] & 15) + 1);
    }
    next[page] = 0.15f / n + 0.85f * sum;
}
