// sim --grid 5 --block 128 --arg f32*1000=uniform:const --arg f32*1000=uninit --arg i32=200
#include <math.h>
__device__ float reduce(float x, bool maximum, float *s) {
    s[threadIdx.x] = x;
    __syncthreads();
    for (int d = 64; d > 0; d /= 2) {
        if (threadIdx.x < d)
            s[threadIdx.x] = maximum ? fmaxf(s[threadIdx.x], s[threadIdx.x + d]) : s[threadIdx.x] + s[threadIdx.x + d];
        __syncthreads();
    }
    float result = s[0];
    __syncthreads();
    return result;
}
__global__ void k(const float *in, float *out, int n) {
    __shared__ float s[128];
    const float *row = in + blockIdx.x * n;
    float top = -INFINITY, sum = 0;
    for (int i = threadIdx.x; i < n; i += 128)
        top = fmaxf(top, row[i]);
    top = reduce(top, true, s);
    for (int i = threadIdx.x; i < n; i += 128)
        sum += expf(row[i] - top);
    sum = reduce(sum, false, s);
    for (int i = threadIdx.x; i < n; i += 128)
        out[blockIdx.x * n + i] = expf(row[i] - top) / sum;
}
__global__ void check(const float *in, float *out, int n) {
    for (int r = 0; r < 5; r++) {
        double sum = 0;
        for (int i = 0; i < n; i++)
            sum += exp((double)in[r * n + i]);
        for (int i = 0; i < n; i++)
            if (!(fabs(exp((double)in[r * n + i]) / sum - out[r * n + i]) < 1e-7))
                __trap();
    }
}
