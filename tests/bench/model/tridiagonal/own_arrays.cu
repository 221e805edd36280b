// As interleaved, but what a thread needs again stands in arrays of its own.
__global__ void solve(const float *lower, const float *upper, const float *right, float *x, float *scratch,
                      int systems)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= systems)
        return;
    float ratios[128], values[128];
    ratios[0] = upper[t] / 4.0f;
    values[0] = right[t] / 4.0f;
    for (int row = 1; row < 128; row++) {
        int i = row * systems + t;
        float pivot = 1.0f / (4.0f - lower[i] * ratios[row - 1]);
        ratios[row] = upper[i] * pivot;
        values[row] = (right[i] - lower[i] * values[row - 1]) * pivot;
    }
    float value = values[127];
    x[127 * systems + t] = value;
    for (int row = 126; row >= 0; row--) {
        value = values[row] - ratios[row] * value;
        x[row * systems + t] = value;
    }
}
