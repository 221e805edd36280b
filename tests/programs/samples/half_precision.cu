// Arithmetic in half and bfloat16: scalar, in pairs, conversions, comparisons.
#include "check.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <vector>

__global__ void dot(const half2 *a, const half2 *b, float *out, int n) {
    half2 sum = __float2half2_rn(0);
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        sum = __hfma2(a[i], b[i], sum);
    float mine = __low2float(sum) + __high2float(sum);
    for (int offset = 16; offset; offset /= 2)
        mine += __shfl_down_sync(0xffffffff, mine, offset);
    if (threadIdx.x == 0)
        *out = mine;
}

__global__ void mixed(const float *x, __half *h, __nv_bfloat16 *b, int n) {
    int i = threadIdx.x;
    if (i < n) {
        __half a = __float2half(x[i]);
        h[i] = __hgt(a, __float2half(1)) ? hsqrt(a) : a * a + __float2half(0.125f);
        b[i] = __hadd(__float2bfloat16(x[i]), __float2bfloat16(1.0f));
    }
}

int main() {
    const int n = 512, m = 10;
    std::vector<__half> a(2 * n), b(2 * n);
    for (int i = 0; i < 2 * n; i++) {
        a[i] = __float2half(float(i % 4));
        b[i] = __float2half(float(2 - i % 3));
    }
    half2 *d_a, *d_b;
    float *d_out, out;
    CHECK(cudaMalloc(&d_a, n * sizeof(half2)));
    CHECK(cudaMalloc(&d_b, n * sizeof(half2)));
    CHECK(cudaMalloc(&d_out, m * sizeof(float)));
    CHECK(cudaMemcpy(d_a, a.data(), n * sizeof(half2), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_b, b.data(), n * sizeof(half2), cudaMemcpyHostToDevice));
    dot<<<1, 32>>>(d_a, d_b, d_out, n);
    CHECK(cudaMemcpy(&out, d_out, sizeof out, cudaMemcpyDeviceToHost));
    printf("dot %g\n", out);
    float x[m];
    for (int i = 0; i < m; i++)
        x[i] = 0.3f * i;
    __half *d_h, h[m];
    __nv_bfloat16 *d_bf, bf[m];
    CHECK(cudaMalloc(&d_h, sizeof h));
    CHECK(cudaMalloc(&d_bf, sizeof bf));
    CHECK(cudaMemcpy(d_out, x, sizeof x, cudaMemcpyHostToDevice));
    mixed<<<1, 32>>>(d_out, d_h, d_bf, m);
    CHECK(cudaMemcpy(h, d_h, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(bf, d_bf, sizeof bf, cudaMemcpyDeviceToHost));
    for (int i = 0; i < m; i++)
        printf("%.6f %.6f\n", __half2float(h[i]), __bfloat162float(bf[i]));
    void *all[] = {d_a, d_b, d_out, d_h, d_bf};
    for (void *d : all)
        CHECK(cudaFree(d));
}
