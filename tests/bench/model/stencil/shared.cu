// As global, but a block's elements and their halo stand in shared memory.
#define RADIUS 8

__global__ void stencil(const float *in, float *out, const float *weights, int n)
{
    __shared__ float tile[256 + 2 * RADIUS];
    int i = blockIdx.x * 256 + threadIdx.x, t = threadIdx.x + RADIUS;
    tile[t] = i < n ? in[i] : 0.0f;
    if (threadIdx.x < RADIUS) {
        tile[t - RADIUS] = i >= RADIUS ? in[i - RADIUS] : 0.0f;
        tile[t + 256] = i + 256 < n ? in[i + 256] : 0.0f;
    }
    __syncthreads();
    if (i < RADIUS || i >= n - RADIUS)
        return;
    float sum = 0.0f;
    for (int j = -RADIUS; j <= RADIUS; j++)
        sum += weights[j + RADIUS] * tile[t + j];
    out[i] = sum;
}
