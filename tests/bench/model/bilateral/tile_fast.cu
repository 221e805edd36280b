// As tile, but the exponential is the fast one, what it is of is multiplied, not divided, and blocks are 32
// pixels wide.
__global__ void smooth(const float *in, float *out, int n, float reach, float contrast)
{
    __shared__ float tile[12][36];
    int left = blockIdx.x * 32 - 2, top = blockIdx.y * 8 - 2;
    for (int i = threadIdx.y * 32 + threadIdx.x; i < 432; i += 256) {
        int column = min(max(left + i % 36, 0), n - 1), row = min(max(top + i / 36, 0), n - 1);
        tile[i / 36][i % 36] = in[row * n + column];
    }
    __syncthreads();
    float by_place = -0.5f / (reach * reach), by_value = -0.5f / (contrast * contrast);
    float own = tile[threadIdx.y + 2][threadIdx.x + 2], sum = 0.0f, weights = 0.0f;
#pragma unroll
    for (int dy = 0; dy < 5; dy++)
#pragma unroll
        for (int dx = 0; dx < 5; dx++) {
            float value = tile[threadIdx.y + dy][threadIdx.x + dx], difference = value - own;
            float weight = __expf(((dx - 2) * (dx - 2) + (dy - 2) * (dy - 2)) * by_place +
                                  difference * difference * by_value);
            sum += weight * value;
            weights += weight;
        }
    out[(top + 2 + threadIdx.y) * n + left + 2 + threadIdx.x] = __fdividef(sum, weights);
}
