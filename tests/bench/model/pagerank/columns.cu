// As pull, but all pages' first links stand together, then their second ones, and so on.
__global__ void step(const unsigned *links, const float *ranks, const unsigned *counts, float *next, int n)
{
    int page = blockIdx.x * blockDim.x + threadIdx.x;
    if (page >= n)
        return;
    float sum = 0.0f;
    for (int i = 0; i < 8; i++) {
        unsigned from = links[i * n + page] & (n - 1);
        sum += ranks[from] / ((counts[from] & 15) + 1);
    }
    next[page] = 0.15f / n + 0.85f * sum;
}
