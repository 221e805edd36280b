// sim --grid 1 --block 64 --arg f16*128=uniform:const --arg f16*128=uniform:const --arg f16*128=uninit --arg f32*128=uninit
#include <cuda_fp16.h>
__global__ void k(const __half2 *a, const __half2 *b, __half2 *c, float2 *d) {
    int i = threadIdx.x;
    __half2 x = __hfma2(a[i], b[i], __float2half2_rn(0.5f));
    c[i] = __hmax2(x, __hmul2(a[i], b[i]));
    d[i] = __half22float2(h2exp(__hadd2(x, a[i])));
}
__global__ void check(const __half *a, const __half *b, __half *c, float *d) {
    for (int i = 0; i < 128; i++) {
        double p = (double)__half2float(a[i]) * (double)__half2float(b[i]);
        if (!(fabs(p + 0.5 - (double)__half2float(c[i])) < 2e-3))
            __trap();
        if (!(fabs(exp(p + 0.5 + (double)__half2float(a[i])) - d[i]) < 3e-2))
            __trap();
    }
}
