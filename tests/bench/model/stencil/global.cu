// A weighted sum of 17 neighbours, all from global memory.
#define RADIUS 8

__global__ void stencil(const float *in, float *out, const float *weights, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < RADIUS || i >= n - RADIUS)
        return;
    float sum = 0.0f;
    for (int j = -RADIUS; j <= RADIUS; j++)
        sum += weights[j + RADIUS] * in[i + j];
    out[i] = sum;
}
