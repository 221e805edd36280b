// Loops whose length differs from lane to lane: a warp takes as long as its longest lane.
__global__ void diverge(const float *in, float *out, int n, int spread)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = in[i];
    int steps = 256 - i % 32 * spread;
    for (int j = 0; j < steps; j++)
        x = x * 0.5f + 0.25f;
    out[i] = x;
}
