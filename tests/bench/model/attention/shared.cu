// As plain, but keys and values are copied to shared memory, and sums are corrected when a larger score
// comes, so that each score is made once.
__global__ void attend(const float *queries, const float *keys, const float *values, float *out)
{
    __shared__ float key[64][32], value[64][32];
    size_t head = (size_t)blockIdx.x * 64 * 32;
    for (int i = threadIdx.x; i < 64 * 32; i += 64) {
        key[i / 32][i % 32] = keys[head + i];
        value[i / 32][i % 32] = values[head + i];
    }
    __syncthreads();
    float largest = -1e30f, total = 0.0f, query[32], sums[32];
    for (int d = 0; d < 32; d++) {
        query[d] = queries[head + threadIdx.x * 32 + d] * 0.17677670f;
        sums[d] = 0.0f;
    }
    for (int token = 0; token < 64; token++) {
        float score = 0.0f;
        for (int d = 0; d < 32; d++)
            score += query[d] * key[token][d];
        float new_largest = fmaxf(largest, score);
        float correction = expf(largest - new_largest), weight = expf(score - new_largest);
        largest = new_largest;
        total = total * correction + weight;
        for (int d = 0; d < 32; d++)
            sums[d] = sums[d] * correction + weight * value[token][d];
    }
    for (int d = 0; d < 32; d++)
        out[head + threadIdx.x * 32 + d] = sums[d] / total;
}
