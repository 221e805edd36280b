// A thread transforms a whole square, which it keeps in an array of its own.
// Eight numbers that lie a step apart, by sums and differences of those that mirror each other.
__device__ void transform_line(float *at, int step)
{
    float v[8], sum[4], difference[4];
#pragma unroll
    for (int i = 0; i < 8; i++)
        v[i] = at[i * step];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        sum[i] = v[i] + v[7 - i];
        difference[i] = v[i] - v[7 - i];
    }
    float a = sum[0] + sum[3], b = sum[1] + sum[2], c = sum[0] - sum[3], d = sum[1] - sum[2];
    at[0] = 0.35355339f * (a + b);
    at[4 * step] = 0.35355339f * (a - b);
    at[2 * step] = 0.46193977f * c + 0.19134172f * d;
    at[6 * step] = 0.19134172f * c - 0.46193977f * d;
    at[step] = 0.49039264f * difference[0] + 0.41573481f * difference[1] +
               0.27778512f * difference[2] + 0.09754516f * difference[3];
    at[3 * step] = 0.41573481f * difference[0] - 0.09754516f * difference[1] -
                   0.49039264f * difference[2] - 0.27778512f * difference[3];
    at[5 * step] = 0.27778512f * difference[0] - 0.49039264f * difference[1] +
                   0.09754516f * difference[2] + 0.41573481f * difference[3];
    at[7 * step] = 0.09754516f * difference[0] - 0.27778512f * difference[1] +
                   0.41573481f * difference[2] - 0.49039264f * difference[3];
}

__global__ void transform(const float *in, float *out, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n / 8 || y >= n / 8)
        return;
    int begin = y * 8 * n + x * 8;
    float square[64];
#pragma unroll
    for (int i = 0; i < 64; i++)
        square[i] = in[begin + i / 8 * n + i % 8];
#pragma unroll
    for (int row = 0; row < 8; row++)
        transform_line(&square[row * 8], 1);
#pragma unroll
    for (int column = 0; column < 8; column++)
        transform_line(&square[column], 8);
#pragma unroll
    for (int i = 0; i < 64; i++)
        out[begin + i / 8 * n + i % 8] = square[i];
}
