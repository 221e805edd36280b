// As thread_a_system, but the systems' first numbers stand side by side, then their second ones, and so on.
__global__ void solve(const float *lower, const float *upper, const float *right, float *x, float *scratch,
                      int systems)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= systems)
        return;
    float ratio = upper[t] / 4.0f, value = right[t] / 4.0f;
    scratch[t] = ratio;
    x[t] = value;
    for (int row = 1; row < 128; row++) {
        int i = row * systems + t;
        float pivot = 1.0f / (4.0f - lower[i] * ratio);
        ratio = upper[i] * pivot;
        value = (right[i] - lower[i] * value) * pivot;
        scratch[i] = ratio;
        x[i] = value;
    }
    for (int row = 126; row >= 0; row--) {
        int i = row * systems + t;
        value = x[i] - scratch[i] * value;
        x[i] = value;
    }
}
