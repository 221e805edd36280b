// As thread_a_system, but a block of 64 threads a system: every other unknown goes away until one is left,
// and then they come back.
__global__ void solve(const float *lower, const float *upper, const float *right, float *x, float *scratch,
                      int systems)
{
    __shared__ float l[128], m[128], u[128], r[128];
    size_t begin = (size_t)blockIdx.x * 128;
    int t = threadIdx.x;
    for (int i = t; i < 128; i += 64) {
        l[i] = i > 0 ? lower[begin + i] : 0.0f;
        u[i] = i < 127 ? upper[begin + i] : 0.0f;
        m[i] = 4.0f;
        r[i] = right[begin + i];
    }
    __syncthreads();
    for (int step = 1; step < 128; step *= 2) {
        int i = (t + 1) * 2 * step - 1;
        if (i < 128) {
            int above = i - step, below = i + step < 128 ? i + step : i;
            float a = l[i] / m[above], b = i + step < 128 ? u[i] / m[below] : 0.0f;
            m[i] -= a * u[above] + b * l[below];
            r[i] -= a * r[above] + b * r[below];
            l[i] = -a * l[above];
            u[i] = -b * u[below];
        }
        __syncthreads();
    }
    if (t == 0)
        r[127] /= m[127];
    __syncthreads();
    for (int step = 64; step > 0; step /= 2) {
        int i = t * 2 * step + step - 1;
        if (i < 128)
            r[i] = (r[i] - (i >= step ? l[i] * r[i - step] : 0.0f) - u[i] * r[i + step]) / m[i];
        __syncthreads();
    }
    for (int i = t; i < 128; i += 64)
        x[begin + i] = r[i];
}
