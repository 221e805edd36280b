// Solves systems of 128 equations with three diagonals, of which the middle one is 4, by Thomas: a thread a
// system, whose numbers stand side by side. The first lower and the last upper number do not count.
__global__ void solve(const float *lower, const float *upper, const float *right, float *x, float *scratch,
                      int systems)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= systems)
        return;
    size_t begin = (size_t)t * 128;
    scratch[begin] = upper[begin] / 4.0f;
    x[begin] = right[begin] / 4.0f;
    for (size_t i = begin + 1; i < begin + 128; i++) {
        float pivot = 1.0f / (4.0f - lower[i] * scratch[i - 1]);
        scratch[i] = upper[i] * pivot;
        x[i] = (right[i] - lower[i] * x[i - 1]) * pivot;
    }
    for (size_t i = begin + 127; i-- > begin;)
        x[i] -= scratch[i] * x[i + 1];
}
