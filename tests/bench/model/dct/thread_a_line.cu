// A block of 256 copies 32 squares that lie side by side to shared memory; a thread transforms a row of a
// square there, then a column.
#define PITCH 256

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
    __shared__ float squares[8 * PITCH];
    int t = threadIdx.x, begin = blockIdx.y * 8 * n + blockIdx.x * 256;
    for (int row = 0; row < 8; row++)
        squares[row * PITCH + t] = in[begin + row * n + t];
    __syncthreads();
    transform_line(&squares[t % 8 * PITCH + t / 8 * 8], 1);
    __syncthreads();
    transform_line(&squares[t], PITCH);
    __syncthreads();
    for (int row = 0; row < 8; row++)
        out[begin + row * n + t] = squares[row * PITCH + t];
}
