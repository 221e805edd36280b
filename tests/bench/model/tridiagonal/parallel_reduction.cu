// As cyclic_reduction, but all 128 equations are kept, a thread each: after seven steps every one has one
// unknown.
__global__ void solve(const float *lower, const float *upper, const float *right, float *x, float *scratch,
                      int systems)
{
    __shared__ float l[128], m[128], u[128], r[128];
    size_t at = (size_t)blockIdx.x * 128 + threadIdx.x;
    int i = threadIdx.x;
    float own_l = i > 0 ? lower[at] : 0.0f, own_u = i < 127 ? upper[at] : 0.0f;
    float own_m = 4.0f, own_r = right[at];
    for (int step = 1; step < 128; step *= 2) {
        l[i] = own_l;
        m[i] = own_m;
        u[i] = own_u;
        r[i] = own_r;
        __syncthreads();
        if (i >= step) {
            float a = own_l / m[i - step];
            own_m -= a * u[i - step];
            own_r -= a * r[i - step];
            own_l = -a * l[i - step];
        }
        if (i + step < 128) {
            float b = own_u / m[i + step];
            own_m -= b * l[i + step];
            own_r -= b * r[i + step];
            own_u = -b * u[i + step];
        }
        __syncthreads();
    }
    x[at] = own_r / own_m;
}
