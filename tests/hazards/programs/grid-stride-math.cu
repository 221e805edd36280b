// sim --grid 2 --block 64 --arg f32*500=uniform:const --arg f32*500=uninit --arg i32=500
__global__ void k(const float *a, float *b, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        float x = a[i];
        b[i] = sinf(x) + cosf(x) * tanf(x) + expf(x) - logf(fabsf(x) + 1) + powf(fabsf(x), 1.5f) + atan2f(x, 2) +
               sqrtf(fabsf(x)) + cbrtf(x) + erff(x) + tgammaf(x + 3) + fmodf(x, 0.3f) + floorf(x) + roundf(x) + asinf(x);
    }
}
__global__ void check(const float *a, float *b, int n) {
    for (int i = 0; i < n; i++) {
        double x = a[i];
        double e = sin(x) + cos(x) * tan(x) + exp(x) - log(fabs(x) + 1) + pow(fabs(x), 1.5) + atan2(x, 2.0) + sqrt(fabs(x)) +
                   cbrt(x) + erf(x) + tgamma(x + 3) + fmod((float)x, 0.3f) + floor(x) + round(x) + asin(x);
        if (!(fabs(e - b[i]) < 1e-4))
            __trap();
    }
}
