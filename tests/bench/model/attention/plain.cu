// Attention in heads of 64 tokens of 32 numbers each: a block a head, a thread a token that asks. It takes
// the largest of its scores first, then makes all of them again.
__global__ void attend(const float *queries, const float *keys, const float *values, float *out)
{
    size_t head = (size_t)blockIdx.x * 64 * 32;
    const float *query = queries + head + threadIdx.x * 32;
    float largest = -1e30f, total = 0.0f, sums[32];
    for (int token = 0; token < 64; token++) {
        float score = 0.0f;
        for (int d = 0; d < 32; d++)
            score += query[d] * keys[head + token * 32 + d];
        largest = fmaxf(largest, score * 0.17677670f);
    }
    for (int d = 0; d < 32; d++)
        sums[d] = 0.0f;
    for (int token = 0; token < 64; token++) {
        float score = 0.0f;
        for (int d = 0; d < 32; d++)
            score += query[d] * keys[head + token * 32 + d];
        float weight = expf(score * 0.17677670f - largest);
        total += weight;
        for (int d = 0; d < 32; d++)
            sums[d] += weight * values[head + token * 32 + d];
    }
    for (int d = 0; d < 32; d++)
        out[head + threadIdx.x * 32 + d] = sums[d] / total;
}
