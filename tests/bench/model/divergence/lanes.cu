// Each of `ways` groups of lanes takes a branch of its own with the same work.
__device__ static float work(float x, float k)
{
#pragma unroll 8
    for (int j = 0; j < 64; j++)
        x = x * k + 0.25f;
    return x;
}

__global__ void diverge(const float *in, float *out, int n, int ways)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = in[i];
    switch (i % ways) {
    case 0: x = work(x, 0.50f) + 1.0f; break;
    case 1: x = work(x, 0.51f) * 2.0f; break;
    case 2: x = work(x, 0.52f) - 3.0f; break;
    case 3: x = work(x, 0.53f) * 4.0f; break;
    case 4: x = work(x, 0.54f) + 5.0f; break;
    case 5: x = work(x, 0.55f) * 6.0f; break;
    case 6: x = work(x, 0.56f) - 7.0f; break;
    default: x = work(x, 0.57f) * 8.0f; break;
    }
    out[i] = x;
}
