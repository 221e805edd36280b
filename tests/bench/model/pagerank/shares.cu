// As pull, but rank and number of links stand side by side, and a thread reads its links four at a time.
__global__ void step(const uint4 *links, const uint2 *pages, float *next, int n)
{
    int page = blockIdx.x * blockDim.x + threadIdx.x;
    if (page >= n)
        return;
    uint4 first = links[page * 2], second = links[page * 2 + 1];
    unsigned from[8] = {first.x, first.y, first.z, first.w, second.x, second.y, second.z, second.w};
    float sum = 0.0f;
    for (int i = 0; i < 8; i++) {
        uint2 other = pages[from[i] & (n - 1)];
        sum += __fdividef((int)other.x * 4.656612873e-10f, (other.y & 15) + 1);
    }
    next[page] = 0.15f / n + 0.85f * sum;
}
