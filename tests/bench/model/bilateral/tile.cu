// As plain, but a block copies its tile with its edges to shared memory, and makes the 25 weights of the
// places once.
__global__ void smooth(const float *in, float *out, int n, float reach, float contrast)
{
    __shared__ float tile[20][20], near[25];
    int left = blockIdx.x * 16 - 2, top = blockIdx.y * 16 - 2, thread = threadIdx.y * 16 + threadIdx.x;
    for (int i = thread; i < 400; i += 256) {
        int column = min(max(left + i % 20, 0), n - 1), row = min(max(top + i / 20, 0), n - 1);
        tile[i / 20][i % 20] = in[row * n + column];
    }
    if (thread < 25) {
        int dx = thread % 5 - 2, dy = thread / 5 - 2;
        near[thread] = expf(-(dx * dx + dy * dy) / (2.0f * reach * reach));
    }
    __syncthreads();
    float own = tile[threadIdx.y + 2][threadIdx.x + 2], sum = 0.0f, weights = 0.0f;
    for (int dy = 0; dy < 5; dy++)
        for (int dx = 0; dx < 5; dx++) {
            float value = tile[threadIdx.y + dy][threadIdx.x + dx], difference = value - own;
            float weight =
                near[dy * 5 + dx] * expf(-difference * difference / (2.0f * contrast * contrast));
            sum += weight * value;
            weights += weight;
        }
    out[(top + 2 + threadIdx.y) * n + left + 2 + threadIdx.x] = sum / weights;
}
