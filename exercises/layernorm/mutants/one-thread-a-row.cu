// All threads but one of the block have nothing to do.
#define BLOCK_SIZE 256
#define EPSILON 1e-5f

__global__ void layernorm(const float *x, const float *gamma, const float *beta, float *y, int rows,
                          int cols)
{
    const float *in = x + blockIdx.x * cols;
    float *out = y + blockIdx.x * cols;
    if (threadIdx.x > 0)
        return;
    float sum = 0.0f, squares = 0.0f;
    for (int c = 0; c < cols; c++)
        sum += in[c];
    float mean = sum / cols;
    for (int c = 0; c < cols; c++)
        squares += (in[c] - mean) * (in[c] - mean);
    float scale = rsqrtf(squares / cols + EPSILON);
    for (int c = 0; c < cols; c++)
        out[c] = (in[c] - mean) * scale * gamma[c] + beta[c];
}
